// Relay, with operations typed by its compiler: a connection, a refetchable fragment and a subscription among them.
//
//   node relay.js URL
import { createClient } from 'graphql-ws';
import {
  Environment,
  Network,
  Observable,
  RecordSource,
  Store,
  commitMutation,
  fetchQuery,
  graphql,
  requestSubscription,
  type GraphQLResponse,
  type MutationParameters,
} from 'relay-runtime';
import type { relayFollowSubscription } from './generated/relay/relayFollowSubscription.graphql';
import type { relayGameQuery } from './generated/relay/relayGameQuery.graphql';
import type { relayLeaveMutation } from './generated/relay/relayLeaveMutation.graphql';
import type { relayOpenMutation } from './generated/relay/relayOpenMutation.graphql';
import type { relayPlayMutation } from './generated/relay/relayPlayMutation.graphql';
import type { relaySignInMutation } from './generated/relay/relaySignInMutation.graphql';
import type { relayTablesQuery } from './generated/relay/relayTablesQuery.graphql';

const url = process.argv[2] ?? 'http://localhost:8000/graphql';

let token: string | undefined;
const authorization = (): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {});
const socket = createClient({ url: url.replace('http', 'ws'), connectionParams: authorization, retryAttempts: 0 });

// A document that the compiler has put in a manifest has an id in place of its text.
const environment = new Environment({
  store: new Store(new RecordSource()),
  network: Network.create(
    async ({ text, id }, variables) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization() },
        body: JSON.stringify({ query: text, documentId: id, variables }),
      });
      return answer.json() as Promise<GraphQLResponse>;
    },
    ({ text, id }, variables) =>
      Observable.create<GraphQLResponse>((sink) =>
        socket.subscribe<any>(
          { query: text ?? '', variables, ...(id && { documentId: id }) },
          { next: (value) => sink.next(value as GraphQLResponse), error: sink.error, complete: sink.complete },
        ),
      ),
  ),
});

export const TablesFragment = graphql`
  fragment relayTables on Query @refetchable(queryName: "relayTablesPaginationQuery") {
    tables(first: $first, after: $after) @connection(key: "relay_tables") {
      edges {
        cursor
        node {
          ...relayTable
        }
      }
    }
  }
`;

export const TableFragment = graphql`
  fragment relayTable on Table @refetchable(queryName: "relayTableRefetchQuery") {
    version
    status
    host {
      name
    }
  }
`;

export const GameFragment = graphql`
  fragment relayGame on Game @refetchable(queryName: "relayGameRefetchQuery") {
    name
    modes {
      name
    }
  }
`;

function mutate<Operation extends MutationParameters>(
  mutation: ReturnType<typeof graphql>,
  variables: Operation['variables'],
): Promise<Operation['response']> {
  return new Promise((resolve, reject) => {
    commitMutation<Operation>(environment, { mutation, variables, onCompleted: resolve, onError: reject });
  });
}

const signIn = graphql`
  mutation relaySignInMutation($name: String!) {
    signInAsGuest(input: { name: $name }) {
      token
    }
  }
`;

const open = graphql`
  mutation relayOpenMutation($input: CreateTableInput!) {
    createTable(input: $input) {
      __typename
      ... on TableOpened {
        update {
          table {
            id
            ...relayTable
          }
        }
      }
      ... on Refusal {
        message
      }
    }
  }
`;

const play = graphql`
  mutation relayPlayMutation($input: PlayMoveInput!) {
    playMove(input: $input) {
      __typename
      ... on MovePlayed {
        update {
          events {
            text
          }
          table {
            ...relayTable
          }
        }
      }
      ... on Refusal {
        code
        message
      }
    }
  }
`;

const leave = graphql`
  mutation relayLeaveMutation($table: ID!) {
    leaveTable(input: { tableId: $table }) {
      __typename
    }
  }
`;

function follow(table: string): Promise<void> {
  return new Promise((resolve, reject) => {
    requestSubscription<relayFollowSubscription>(environment, {
      subscription: graphql`
        subscription relayFollowSubscription($table: ID!, $after: Int) {
          tableUpdates(tableId: $table, after: $after) {
            version
            events {
              text
            }
            table {
              ...relayTable
            }
          }
        }
      `,
      variables: { table, after: 0 },
      onNext: (data) => {
        for (const { text } of data?.tableUpdates.events ?? []) console.log(data?.tableUpdates.version, text);
      },
      onError: reject,
      onCompleted: () => resolve(),
    });
  });
}

function told({ playMove }: relayPlayMutation['response']): string {
  switch (playMove.__typename) {
    case 'MovePlayed':
      return playMove.update.events.map(({ text }) => text).join(' ');
    case 'Refusal':
      return playMove.message;
    default:
      return 'This server is newer than this program.';
  }
}

const call = (tableId: string, target: number): relayPlayMutation['variables'] => ({
  input: { tableId, move: { callIt: { call: { target } } } },
});

// @ts-expect-error: the number of entries has to be given
export const wrong: relayTablesQuery['variables'] = {};

async function main(): Promise<void> {
  token = (await mutate<relaySignInMutation>(signIn, { name: 'Ann' })).signInAsGuest.token;
  const { createTable } = await mutate<relayOpenMutation>(open, { input: { game: { callIt: {} }, visibility: 'PUBLIC' } });
  if (createTable.__typename !== 'TableOpened') throw new Error('refused');
  const { id } = createTable.update.table;
  const followed = follow(id);
  console.log(told(await mutate<relayPlayMutation>(play, call(id, 29))));
  console.log(told(await mutate<relayPlayMutation>(play, call(id, 31))));
  const tables = graphql`
    query relayTablesQuery($first: Int!, $after: String, $id: ID!) {
      ...relayTables
      node(id: $id) {
        __typename
        id
        ...relayTable @alias
      }
      games {
        ...relayGame
      }
    }
  `;
  const found = await fetchQuery<relayTablesQuery>(environment, tables, { first: 20, id }).toPromise();
  console.log(found?.node?.__typename, found?.node?.id === id);
  const again = graphql`
    query relayGameQuery($id: ID!) {
      node(id: $id) {
        __typename
        ... on Game {
          name
        }
      }
    }
  `;
  console.log((await fetchQuery<relayGameQuery>(environment, again, { id: 'call-it' }).toPromise())?.node?.__typename);
  // What moves and updates bring is the same record, by its id.
  console.log('version', environment.getStore().getSource().get(id)?.['version']);
  await mutate<relayLeaveMutation>(leave, { table: id });
  await followed;
  await socket.dispose();
}

void main();
