// Operations typed by @graphql-codegen's client preset. apollo.ts and urql.ts carry them out.
import { graphql } from './generated/codegen';
import type { GameInput, MoveInput, PlayMutation, PlayMutationVariables } from './generated/codegen/graphql';

export const SignIn = graphql(`
  mutation SignIn($name: String!) {
    signInAsGuest(input: { name: $name }) {
      token
    }
  }
`);

export const Open = graphql(`
  mutation Open($input: CreateTableInput!) {
    createTable(input: $input) {
      __typename
      ... on TableOpened {
        update {
          table {
            id
            version
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
        text
        ... on CallItFlipped {
          card {
            rank
          }
        }
      }
      table {
        id
        status
      }
    }
  }
`);

export const Leave = graphql(`
  mutation Leave($table: ID!) {
    leaveTable(input: { tableId: $table }) {
      __typename
    }
  }
`);

export function told(answer: PlayMutation['playMove']): string {
  switch (answer.__typename) {
    case 'MovePlayed':
      return answer.update.events.map(({ text }) => text).join(' ');
    case 'Refusal':
      return answer.code === 'NOT_YOUR_TURN' ? 'Wait for your turn.' : answer.message;
  }
}

// What a server tells of its games and moves is JSON to the compiler, and fits these types.
export const opening = (game: { input: string }) => ({
  input: { game: { [game.input]: {} } as unknown as GameInput },
});

export const asItStands = (tableId: string, { input }: { input: unknown }): PlayMutationVariables => ({
  input: { tableId, move: input as MoveInput },
});

export const call = (tableId: string, target: number): PlayMutationVariables => ({
  input: { tableId, move: { callIt: { call: { target } } } },
});

// @ts-expect-error: there is no such code
export const isOdd = (answer: PlayMutation['playMove']) => answer.__typename === 'Refusal' && answer.code === 'ODD';

// @ts-expect-error: the table has to be named
export const nowhere: PlayMutationVariables = { input: { move: { callIt: { flip: true } } } };

// @ts-expect-error: it is one move or the other
export const both: PlayMutationVariables = { input: { tableId: 'x', move: { callIt: { flip: true, call: { target: 31 } } } } };
