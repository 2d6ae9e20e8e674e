// Apollo Client, with operations typed by @graphql-codegen.
//
//   node apollo.js URL [codegen | MANIFEST]
//
// The last argument has it send the hashes of its operations instead of the operations: those that @graphql-codegen
// has given them, or those of the manifest that Apollo's own tool has written.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import { readFileSync } from 'node:fs';
import { Follow, Leave, Open, Play, SignIn, asItStands, call, opening, told } from './operations';
import { apolloByCodegen, apolloByManifest } from './trusted';

const [url = 'http://localhost:8000/graphql', trusted] = process.argv.slice(2);

let token: string | undefined;
const authorization = (): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {});
const socket = createClient({ url: url.replace('http', 'ws'), connectionParams: authorization, retryAttempts: 0 });
const http = new HttpLink({ uri: url });
const link = ApolloLink.split(
  ({ operationType }) => operationType === 'subscription',
  new GraphQLWsLink(socket),
  new SetContextLink(({ headers }) => ({ headers: { ...headers, ...authorization() } })).concat(http),
);
const byHash =
  trusted === 'codegen' ? apolloByCodegen : apolloByManifest(async () => JSON.parse(readFileSync(trusted!, 'utf8')));
const client = new ApolloClient({ cache: new InMemoryCache(), link: trusted ? byHash.concat(link) : link });

async function play(tableId: string, target: number): Promise<string> {
  const { data } = await client.mutate({ mutation: Play, variables: call(tableId, target) });
  return data ? told(data.playMove) : 'No answer.';
}

const follow = (table: string): Promise<void> =>
  new Promise((resolve, reject) => {
    client.subscribe({ query: Follow, variables: { table, after: 0 } }).subscribe({
      next: ({ data, error }) => {
        if (error) reject(error);
        for (const { text } of data?.tableUpdates.events ?? []) console.log(data?.tableUpdates.version, text);
      },
      error: reject,
      complete: resolve,
    });
  });

async function main(): Promise<void> {
  const signedIn = await client.mutate({ mutation: SignIn, variables: { name: 'Ann' } });
  token = signedIn.data?.signInAsGuest.token;
  const { data } = await client.mutate({ mutation: Open, variables: opening({ input: 'callIt' }) });
  if (data?.createTable.__typename !== 'TableOpened') throw new Error(data?.createTable.message);
  const { id } = data.createTable.update.table;
  const followed = follow(id);
  console.log(await play(id, 29));
  const move: unknown = { callIt: { call: { target: 31 } } };
  const { data: played } = await client.mutate({ mutation: Play, variables: asItStands(id, { input: move }) });
  console.log(played && told(played.playMove));
  await client.mutate({ mutation: Leave, variables: { table: id } });
  await followed;
  await socket.dispose();
}

void main();
