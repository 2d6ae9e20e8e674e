// Operations typed by gql.tada, without generated documents; carried out with graphql-ws alone.
//
//   node tada.js URL
import { initGraphQLTada, type ResultOf, type TadaDocumentNode, type VariablesOf } from 'gql.tada';
import { print } from 'graphql';
import { createClient } from 'graphql-ws';
import type { introspection } from './generated/graphql-env.d.ts';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { DateTime: string; JSON: unknown };
}>();

const SignIn = graphql(`
  mutation SignIn($name: String!) {
    signInAsGuest(input: { name: $name }) {
      token
    }
  }
`);

const Open = graphql(`
  mutation Open($input: CreateTableInput!) {
    createTable(input: $input) {
      __typename
      ... on TableOpened {
        update {
          table {
            id
          }
        }
      }
      ... on Refusal {
        message
      }
    }
  }
`);

const Play = graphql(`
  mutation Play($input: PlayMoveInput!) {
    playMove(input: $input) {
      __typename
      ... on MovePlayed {
        update {
          version
          events {
            text
          }
        }
      }
      ... on Refusal {
        code
        message
      }
    }
  }
`);

const Follow = graphql(`
  subscription Follow($table: ID!, $after: Int) {
    tableUpdates(tableId: $table, after: $after) {
      version
      events {
        __typename
        text
      }
    }
  }
`);

const Leave = graphql(`
  mutation Leave($table: ID!) {
    leaveTable(input: { tableId: $table }) {
      __typename
    }
  }
`);

const url = (process.argv[2] ?? 'http://localhost:8000/graphql').replace('http', 'ws');

async function* carryOut<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  token?: string,
): AsyncGenerator<Data> {
  const connectionParams = token ? { authorization: `Bearer ${token}` } : {};
  const client = createClient({ url, connectionParams, retryAttempts: 0 });
  try {
    for await (const { data, errors } of client.iterate<Data>({ query: print(document), variables })) {
      if (errors) throw errors;
      if (data) yield data;
    }
  } catch (error) {
    // The errors of an operation come as a list, those of the connection as they are.
    throw Array.isArray(error) ? new Error(error.map(({ message }) => message).join(' ')) : error;
  } finally {
    await client.dispose();
  }
}

async function ask<Data, Variables extends Record<string, unknown>>(
  ...asked: Parameters<typeof carryOut<Data, Variables>>
): Promise<Data> {
  for await (const data of carryOut(...asked)) return data;
  throw new Error('no answer');
}

function told({ playMove }: ResultOf<typeof Play>): string {
  return playMove.__typename === 'Refusal' ? playMove.message : playMove.update.events.map(({ text }) => text).join(' ');
}

const call = (tableId: string, target: number): VariablesOf<typeof Play> => ({
  input: { tableId, move: { callIt: { call: { target } } } },
});

// @ts-expect-error: a target is a number
export const wrong: VariablesOf<typeof Play> = { input: { tableId: 'x', move: { callIt: { call: { target: '5' } } } } };

// @ts-expect-error: there is no such field
export const unasked = (answer: ResultOf<typeof Follow>) => answer.tableUpdates.at;

async function main(): Promise<void> {
  const { token } = (await ask(SignIn, { name: 'Ann' })).signInAsGuest;
  const { createTable } = await ask(Open, { input: { game: { callIt: {} } } }, token);
  if (createTable.__typename !== 'TableOpened') throw new Error(createTable.message);
  const table = createTable.update.table.id;
  console.log(told(await ask(Play, call(table, 29), token)));
  console.log(told(await ask(Play, call(table, 31), token)));
  await ask(Leave, { table }, token);
  for await (const { tableUpdates } of carryOut(Follow, { table, after: 0 })) {
    for (const { text } of tableUpdates.events) console.log(tableUpdates.version, text);
  }
}

void main();
