// A frontend for the terminal that plays any game of a Fliptable server.
//
//   tsc && node play.js [URL] [GAME] [--auto] [--moves=N]     (or, with Node.js 22.18 and newer, node play.ts)
//
// It knows no game: what can be played comes from `legalMoves`, what happened from the events of the table's
// subscription (as server-sent events). Everybody sits at this terminal. Needs nothing but Node.js 20.
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Field = { name: string; path: string; type: string; description: string; min: number | null; max: number | null; choices: Json[] | null; list: boolean; maxItems: number | null };
type Move = { seat: number | null; label: string; input: Json; fields: Field[] };
type Table = { id: string; version: number; status: string; seats: { name: string }[]; legalMoves: Move[] };
type Update = { version: number; events: { text: string }[]; table: Table };
type Game = { id: string; input: string; minSeats: number };
type Refused = { code: string; message: string; table: Table | null };

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const url = words[0] ?? 'http://localhost:8000/graphql';
const wanted = words[1] ?? 'call-it';
const auto = process.argv.includes('--auto');
const most = Number(process.argv.find((word) => word.startsWith('--moves='))?.slice(8) ?? 10_000);
let token: string | undefined;

const TABLE = `id version status seats { name }
  legalMoves { seat label input fields { name path type description min max choices list maxItems } }`;
const OPEN = `mutation ($input: CreateTableInput!) { createTable(input: $input) {
  ... on TableOpened { table { ${TABLE} } } ... on Refusal { code message } } }`;
const PLAY = `mutation ($input: PlayMoveInput!) { playMove(input: $input) {
  ... on MovePlayed { update { version table { ${TABLE} } } }
  ... on Refusal { code message table { ${TABLE} } } } }`;
const FOLLOW = `subscription ($table: ID!, $after: Int) {
  tableUpdates(tableId: $table, after: $after) { version events { text } } }`;

const send = (accept: string, query: string, variables: object) =>
  fetch(url, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });

async function ask<T>(query: string, variables: object = {}): Promise<T> {
  const { data, errors } = await (await send('application/json', query, variables)).json();
  if (errors) throw new Error(errors[0].message);
  return Object.values(data)[0] as T;
}

let seen = 0;
let wake: () => void = () => {};

// Prints what happens at a table until it is over; after a cut line it goes on where it was.
async function follow(table: string): Promise<void> {
  for (;;) {
    try {
      const { body } = await send('text/event-stream', FOLLOW, { table, after: seen });
      let rest = '';
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
        const events = (rest + chunk).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          if (event.startsWith('event: complete')) return;
          if (!event.startsWith('event: next')) continue;
          const { data } = JSON.parse(event.slice(event.indexOf('data: ') + 6)) as { data: { tableUpdates: Update } };
          for (const { text } of data.tableUpdates.events) console.log(`  ${text}`);
          seen = data.tableUpdates.version;
          wake();
        }
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

const by = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)]!;
const terminal = auto ? null : createInterface({ input: stdin, output: stdout });

async function choose({ legalMoves, seats }: Table): Promise<Move> {
  if (!terminal) return by(legalMoves);
  legalMoves.forEach(({ seat, label }, at) => console.log(`${at + 1}. ${seat === null ? '' : `${seats[seat]?.name}: `}${label}`));
  return legalMoves[Number(await terminal.question('> ')) - 1] ?? choose({ legalMoves, seats } as Table);
}

// Gives the fields of a move their values; an empty answer leaves what stands there.
async function fill(move: Move): Promise<void> {
  for (const { path, type, description, min, max, choices, list, maxItems } of move.fields) {
    const steps = path.split('.');
    const last = steps.pop()!;
    const place = steps.reduce((inner: any, step) => inner[step], move.input);
    if (!terminal) {
      if (choices) place[last] = list ? choices.slice(0, maxItems ?? 0) : by(choices);
      continue;
    }
    const answer = await terminal.question(`${description} ${JSON.stringify(choices ?? [min, max])} [${place[last]}] `);
    const read = (word: string): Json => (type === 'Int' || type === 'Boolean' ? JSON.parse(word) : word);
    if (answer) place[last] = list ? answer.trim().split(/\s+/).map(read) : read(answer);
  }
}

async function main(): Promise<void> {
  token = (await ask<{ token: string }>('mutation { signInAsGuest(input: {name: "Ann"}) { token } }')).token;
  const game = (await ask<Game[]>('{ games { id input minSeats } }')).find(({ id }) => id === wanted);
  if (!game) throw new Error(`There is no game ${wanted}.`);
  const localSeats = Array.from({ length: game.minSeats - 1 }, (_, at) => `Player ${at + 2}`);
  const input = { game: { [game.input]: {} }, seats: game.minSeats, localSeats };
  let { table } = await ask<{ table: Table }>(OPEN, { input });
  void follow(table.id);
  for (let count = 0; count < most && table.status !== 'OVER' && table.legalMoves.length > 0; count += 1) {
    const move = await choose(table);
    await fill(move);
    const answer = await ask<Refused & { update?: Update }>(PLAY, {
      input: { tableId: table.id, move: move.input, seat: move.seat },
    });
    if (answer.code) console.log(`${answer.code}: ${answer.message}`);
    table = answer.update?.table ?? answer.table ?? table;
    while (seen < table.version) await new Promise<void>((resolve) => (wake = resolve));
  }
  console.log(table.status);
  process.exit(0);
}

void main();
