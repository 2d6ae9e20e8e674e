// Operations typed by the Relay compiler; a connection and a refetchable fragment among them.
import { graphql } from 'relay-runtime';
import type { relayPlayMutation } from './generated/relay/relayPlayMutation.graphql';
import type { relayTablesQuery } from './generated/relay/relayTablesQuery.graphql';

export const Tables = graphql`
  query relayTablesQuery($first: Int!, $after: String) {
    ...relayTables
    node(id: "tbl_x") {
      id
      ...relayTable @alias
    }
  }
`;

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

export const Play = graphql`
  mutation relayPlayMutation($input: PlayMoveInput!) {
    playMove(input: $input) {
      __typename
      ... on MovePlayed {
        table {
          ...relayTable
        }
      }
      ... on Refusal {
        code
      }
    }
  }
`;

export const Follow = graphql`
  subscription relayFollowSubscription($table: ID!, $after: Int) {
    tableUpdates(tableId: $table, after: $after) {
      table {
        ...relayTable
      }
    }
  }
`;

export const page: relayTablesQuery['variables'] = { first: 20 };

export function refused(response: relayPlayMutation['response']): string | null {
  return response.playMove.__typename === 'Refusal' ? response.playMove.code : null;
}

// @ts-expect-error: the number of entries has to be given
export const wrong: relayTablesQuery['variables'] = {};
