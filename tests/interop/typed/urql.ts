// urql, with operations typed by @graphql-codegen.
//
//   node urql.js URL [codegen]
//
// The last argument has it send the hashes of its operations instead of the operations.
import { Client, fetchExchange, type DocumentInput } from '@urql/core';
import { Follow, Leave, Open, Play, SignIn, call, told } from './operations';
import { urqlByCodegen } from './trusted';

const [url = 'http://localhost:8000/graphql', trusted] = process.argv.slice(2);

let token: string | undefined;
const client = new Client({
  url,
  exchanges: trusted ? [urqlByCodegen, fetchExchange] : [fetchExchange],
  fetchSubscriptions: true,
  preferGetMethod: false,
  fetchOptions: (): RequestInit => (token ? { headers: { authorization: `Bearer ${token}` } } : {}),
});

async function mutate<Data, Variables extends object>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client.mutation(document, variables).toPromise();
  if (!data) throw error;
  return data;
}

const follow = (table: string): Promise<void> =>
  new Promise((resolve, reject) => {
    client.subscription(Follow, { table, after: 0 }).subscribe(({ data, error, hasNext }) => {
      if (error) reject(error);
      else if (hasNext === false) resolve();
      else for (const { text } of data?.tableUpdates.events ?? []) console.log(data?.tableUpdates.version, text);
    });
  });

async function main(): Promise<void> {
  token = (await mutate(SignIn, { name: 'Ann' })).signInAsGuest.token;
  const { createTable } = await mutate(Open, { input: { game: { callIt: {} } } });
  if (createTable.__typename !== 'TableOpened') throw new Error(createTable.message);
  const { id } = createTable.update.table;
  const followed = follow(id);
  console.log(told((await mutate(Play, call(id, 29))).playMove));
  console.log(told((await mutate(Play, call(id, 31))).playMove));
  await mutate(Leave, { table: id });
  await followed;
}

void main();
