// Operations typed by gql.tada, without generated documents.
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import type { introspection } from './generated/graphql-env.d.ts';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { DateTime: string; JSON: unknown };
}>();

export const Games = graphql(`
  query Games {
    games {
      id
      input
      minSeats
    }
  }
`);

export const Play = graphql(`
  mutation Play($input: PlayMoveInput!) {
    playMove(input: $input) {
      __typename
      ... on MovePlayed {
        table {
          version
          status
        }
      }
      ... on Refusal {
        code
        message
      }
    }
  }
`);

export const Follow = graphql(`
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

export const seats: number = (null as unknown as ResultOf<typeof Games>).games?.[0]?.minSeats ?? 0;

export function code(result: ResultOf<typeof Play>): string | undefined {
  const answer = result.playMove;
  return answer.__typename === 'Refusal' ? answer.code : answer.table?.status;
}

export const flip: VariablesOf<typeof Play> = {
  input: { tableId: 'tbl_x', move: { callIt: { flip: true } } },
};

// @ts-expect-error: a target is a number
export const wrong: VariablesOf<typeof Play> = { input: { tableId: 'x', move: { callIt: { call: { target: '5' } } } } };
