// Published clients behind one face: `ask` carries out an operation, `follow` a subscription to its end.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { OperationTypeNode, getOperationAST, parse } from 'graphql';
import { createClient as createSse } from 'graphql-sse';
import { createClient as createWs } from 'graphql-ws';
import WebSocket from 'ws';

// Apollo's link looks for what browsers have and Node.js 20 has not.
globalThis.WebSocket ??= WebSocket;

// Without retries of its own, so that the scenario decides when to come again.
function socket({ socketUrl, headers }) {
  return createWs({
    url: socketUrl,
    webSocketImpl: WebSocket,
    connectionParams: headers,
    retryAttempts: 0,
    lazyCloseTimeout: 1000,
  });
}

function raw(client) {
  const run = (query, variables, next) =>
    new Promise((resolve, reject) => {
      client.subscribe({ query, variables }, { next, error: reject, complete: () => resolve() });
    });
  return {
    async ask(query, variables) {
      let answer;
      try {
        await run(query, variables, (value) => (answer = value));
      } catch (error) {
        if (!Array.isArray(error)) throw error;
        answer = { errors: error };
      }
      return answer;
    },
    async follow(query, variables, next) {
      await run(query, variables, (value) => {
        if (value.errors) throw value.errors;
        next(value.data);
      });
    },
    close: () => client.dispose(),
  };
}

function apollo(link, close) {
  const client = new ApolloClient({
    link,
    cache: new InMemoryCache(),
    defaultOptions: {
      query: { fetchPolicy: 'no-cache', errorPolicy: 'all' },
      mutate: { fetchPolicy: 'no-cache', errorPolicy: 'all' },
    },
  });
  return {
    async ask(text, variables) {
      const document = parse(text);
      const mutation = getOperationAST(document)?.operation === OperationTypeNode.MUTATION;
      const { data, error } = mutation
        ? await client.mutate({ mutation: document, variables })
        : await client.query({ query: document, variables });
      return { data, errors: error?.errors };
    },
    follow: (text, variables, next) =>
      new Promise((resolve, reject) => {
        client.subscribe({ query: parse(text), variables, fetchPolicy: 'no-cache' }).subscribe({
          next: ({ data, error }) => (error ? reject(error.errors ?? error) : next(data)),
          error: reject,
          complete: () => resolve(),
        });
      }),
    close: () => close?.(),
  };
}

function urql({ url, headers }, exchanges, more, close) {
  const client = new Client({
    url,
    exchanges,
    fetchOptions: { headers },
    requestPolicy: 'network-only',
    preferGetMethod: false,
    ...more,
  });
  const errorsOf = (error) => error && (error.graphQLErrors.length ? error.graphQLErrors : error.networkError);
  return {
    async ask(text, variables) {
      const document = parse(text);
      const mutation = getOperationAST(document)?.operation === OperationTypeNode.MUTATION;
      const { data, error } = await client[mutation ? 'mutation' : 'query'](document, variables).toPromise();
      return { data, errors: errorsOf(error) };
    },
    follow: (text, variables, next) =>
      new Promise((resolve, reject) => {
        let ended = false;
        const { unsubscribe } = client.subscription(parse(text), variables).subscribe((result) => {
          if (result.error && !ended) {
            ended = true;
            reject(errorsOf(result.error));
            queueMicrotask(() => unsubscribe());
          } else if (result.hasNext === false && !ended) {
            // The end comes as the last result once more.
            ended = true;
            resolve();
          } else if (!ended) {
            next(result.data);
          }
        });
      }),
    close: () => close?.(),
  };
}

export const adapters = {
  'graphql-ws': (to) => raw(socket(to)),
  'graphql-sse': (to) => raw(createSse({ url: to.url, headers: to.headers, retryAttempts: 0 })),
  'apollo over graphql-ws': (to) => {
    const ws = socket(to);
    const link = ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      new GraphQLWsLink(ws),
      new HttpLink({ uri: to.url, headers: to.headers }),
    );
    return apollo(link, () => ws.dispose());
  },
  'apollo over multipart': (to) => apollo(new HttpLink({ uri: to.url, headers: to.headers })),
  'urql over graphql-ws': (to) => {
    const ws = socket(to);
    const forward = ({ query, variables }) => ({
      subscribe: (sink) => ({ unsubscribe: ws.subscribe({ query, variables }, sink) }),
    });
    const exchanges = [fetchExchange, subscriptionExchange({ forwardSubscription: forward })];
    return urql(to, exchanges, {}, () => ws.dispose());
  },
  'urql over events': (to) => urql(to, [fetchExchange], { fetchSubscriptions: true }),
};
