// Published clients behind one face, for test_matrix.py: `ask` carries out an operation, `follow` a subscription
// to its end. Orders come as lines of JSON on standard input, and what happens goes to standard output the same way.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { GraphQLError, OperationTypeNode, getOperationAST, parse, print } from 'graphql';
import { createClient as createSse } from 'graphql-sse';
import { createClient as createWs } from 'graphql-ws';
import { createInterface } from 'node:readline';

// None tries again by itself, so that the test decides when to come again. The WebSocket is that of Node.js, which
// is the one that browsers have.
const socket = ({ url, headers }) =>
  createWs({ url: url.replace('http', 'ws'), connectionParams: headers, retryAttempts: 0, lazyCloseTimeout: 1000 });
const events = ({ url, headers }) => createSse({ url, headers, retryAttempts: 0 });

// A document to send that is none: clients print it without looking.
function damaged() {
  const document = parse('{ games { id } }', { noLocation: true });
  document.definitions[0].selectionSet.selections[0].selectionSet.selections[0].name.value = '{';
  return document;
}

const document = (text) => (text === null ? damaged() : parse(text, { noLocation: true }));
const isMutation = (parsed) => getOperationAST(parsed)?.operation === OperationTypeNode.MUTATION;

// What graphql-ws and graphql-sse have in common.
function plain(client) {
  const run = (query, variables, next) =>
    new Promise((resolve, reject) => {
      client.subscribe({ query, variables }, { next, error: reject, complete: resolve });
    });
  return {
    async ask(text, variables) {
      let answer;
      try {
        await run(text ?? print(damaged()), variables, (value) => (answer = value));
      } catch (error) {
        if (!Array.isArray(error)) throw error;
        answer = { errors: error };
      }
      return answer;
    },
    follow: (text, variables, next) =>
      run(text, variables, ({ data, errors }) => {
        if (errors) throw errors;
        next(data);
      }),
    close: () => client.dispose(),
  };
}

function apollo({ url, headers }, subscriptions, close) {
  const http = new HttpLink({ uri: url, headers });
  const live = ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION;
  const client = new ApolloClient({
    link: subscriptions ? ApolloLink.split(live, subscriptions, http) : http,
    cache: new InMemoryCache(),
    defaultOptions: {
      query: { fetchPolicy: 'no-cache', errorPolicy: 'all' },
      mutate: { fetchPolicy: 'no-cache', errorPolicy: 'all' },
    },
  });
  return {
    async ask(text, variables) {
      const parsed = document(text);
      const { data, error } = isMutation(parsed)
        ? await client.mutate({ mutation: parsed, variables })
        : await client.query({ query: parsed, variables });
      return { data, errors: error?.errors };
    },
    follow: (text, variables, next) =>
      new Promise((resolve, reject) => {
        client.subscribe({ query: document(text), variables, fetchPolicy: 'no-cache' }).subscribe({
          next: ({ data, error }) => (error ? reject(error.errors ?? error) : next(data)),
          error: reject,
          complete: resolve,
        });
      }),
    close: () => (client.stop(), close?.()),
  };
}

const sseLink = (client) =>
  new ApolloLink(
    ({ query, variables }) => new Observable((sink) => client.subscribe({ query: print(query), variables }, sink)),
  );

function urql({ url, headers }, live) {
  const forwardSubscription = ({ query, variables }) => ({
    subscribe: (sink) => ({ unsubscribe: live.subscribe({ query, variables }, sink) }),
  });
  const client = new Client({
    url,
    exchanges: [fetchExchange, ...(live ? [subscriptionExchange({ forwardSubscription })] : [])],
    fetchSubscriptions: !live,
    fetchOptions: { headers },
    requestPolicy: 'network-only',
    preferGetMethod: false,
  });
  const errorsOf = (error) => error && (error.graphQLErrors.length ? error.graphQLErrors : error.networkError);
  return {
    async ask(text, variables) {
      const parsed = document(text);
      const { data, error } = await client[isMutation(parsed) ? 'mutation' : 'query'](parsed, variables).toPromise();
      return { data, errors: errorsOf(error) };
    },
    follow: (text, variables, next) =>
      new Promise((resolve, reject) => {
        let ended = false;
        const { unsubscribe } = client.subscription(document(text), variables).subscribe(({ data, error, hasNext }) => {
          if (ended) return;
          if (error) {
            ended = true;
            reject(errorsOf(error));
            queueMicrotask(() => unsubscribe());
          } else if (hasNext === false) {
            // The end comes as the last result once more.
            ended = true;
            resolve();
          } else {
            next(data);
          }
        });
      }),
    close: () => live?.dispose(),
  };
}

// No client at all: what browsers have.
function fetching({ url, headers }) {
  const send = (accept, query, variables) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, accept, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
  return {
    ask: async (text, variables) =>
      (await send('application/graphql-response+json', text ?? print(damaged()), variables)).json(),
    async follow(text, variables, next) {
      const answer = await send('text/event-stream', text, variables);
      let rest = '';
      for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + chunk).split('\n\n');
        rest = parts.pop();
        for (const part of parts) {
          if (part.startsWith('event: complete')) return;
          if (!part.startsWith('event: next\ndata: ')) continue;
          const { data, errors } = JSON.parse(part.slice('event: next\ndata: '.length));
          if (errors) throw errors;
          next(data);
        }
      }
      throw new Error('the stream ended without complete');
    },
  };
}

const clients = {
  'fetch': fetching,
  'graphql-ws': (to) => plain(socket(to)),
  'graphql-sse': (to) => plain(events(to)),
  'Apollo Client over graphql-ws': (to) => {
    const live = socket(to);
    return apollo(to, new GraphQLWsLink(live), () => live.dispose());
  },
  'Apollo Client over graphql-sse': (to) => {
    const live = events(to);
    return apollo(to, sseLink(live), () => live.dispose());
  },
  'Apollo Client over multipart': (to) => apollo(to),
  'urql over graphql-ws': (to) => urql(to, socket(to)),
  'urql over graphql-sse': (to) => urql(to, events(to)),
  'urql over events': (to) => urql(to),
};

const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');
const open = new Map();

async function carryOut({ id, of, order, client, to, query, variables }) {
  try {
    if (order === 'open') open.set(id, clients[client](to));
    else if (order === 'ask') say({ id, answer: await open.get(of).ask(query, variables) });
    else if (order === 'follow') await open.get(of).follow(query, variables, (next) => say({ id, next }));
    else await open.get(of).close?.();
    say({ id, done: true });
  } catch (error) {
    if (Array.isArray(error)) say({ id, errors: error });
    else if (error instanceof GraphQLError) say({ id, unreadable: error.message });
    else say({ id, broken: String(error.reason || error.message || error.code || error) });
  }
}

for await (const line of createInterface({ input: process.stdin })) void carryOut(JSON.parse(line));
process.exit(0);
