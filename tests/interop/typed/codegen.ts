// Operations typed by @graphql-codegen's client preset.
import { graphql } from './generated/codegen';

export const Games = graphql(`
  query Games {
    games {
      id
      input
      minSeats
      modes {
        id
      }
    }
  }
`);

export const Play = graphql(`
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
        legalMoves {
          input
        }
      }
    }
  }
`);

export const Follow = graphql(`
  subscription Follow($table: ID!, $after: Int) {
    tableUpdates(tableId: $table, after: $after) {
      version
      at
      events {
        __typename
        ... on CallItFlipped {
          card {
            rank
          }
        }
      }
    }
  }
`);

type Of<D> = D extends { __apiType?: (variables: infer _V) => infer R } ? R : never;

export function told(result: Of<typeof Play>): string {
  const answer = result.playMove;
  switch (answer.__typename) {
    case 'MovePlayed':
      return answer.update?.events.map((event) => event.text).join(' ') ?? '';
    case 'Refusal': {
      // @ts-expect-error: there is no such code
      const never = answer.code === 'NO_SUCH_CODE';
      return never ? '' : answer.code === 'NOT_YOUR_TURN' ? 'wait' : answer.message;
    }
  }
}

export const flip: Parameters<NonNullable<(typeof Play)['__apiType']>>[0] = {
  input: { tableId: 'tbl_x', move: { callIt: { flip: true } } },
};

// @ts-expect-error: the table has to be named
export const wrong: Parameters<NonNullable<(typeof Play)['__apiType']>>[0] = { input: { move: {} } };
