// A frontend for the terminal that plays any game of a Fliptable server.
//
//   tsc && node play.js [URL] [GAME] [--auto] [--moves=N]     (or, with Node.js 22.18 and newer, node play.ts)
//
// It knows no game: what can be played comes from `legalMoves`, what happened from the events of the table's
// subscription (as server-sent events). Everybody sits at this terminal. Needs nothing but Node.js 20.
import { randomUUID } from 'node:crypto';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Field = { name: string; path: string; type: string; description: string; min: number | null; max: number | null; choices: Json[] | null; list: boolean; maxItems: number | null };
type Move = { seat: number | null; label: string; input: Json; fields: Field[] };
type Table = { id: string; version: number; status: string; seats: { name: string }[]; legalMoves: Move[] };
type Update = { version: number; events: { text: string }[]; table: Table };
type Game = { id: string; input: string; minSeats: number };
type Failed = { message: string; extensions: { code: string; retryAfter?: number; retryable?: boolean } };
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

const PASSING = ['RATE_LIMITED', 'UNAVAILABLE', 'INTERRUPTED', 'TOO_SLOW'];

// Waits until it is worth another try. What stays wrong, as a dead token does, is thrown.
async function pass(error: Failed[] | Error): Promise<void> {
  const [{ message, extensions }] = Array.isArray(error) ? error : [{ message: error.message, extensions: undefined }];
  const passing = extensions ? PASSING.includes(extensions.code) || extensions.retryable : error instanceof TypeError;
  if (!passing) throw extensions ? new Error(`${extensions.code}: ${message}`) : error;
  console.error(`${message} Trying again.`);
  await setTimeout(1000 * (extensions?.retryAfter ?? 1));
}

// The one field of each answer. After a cut line, updates go on where they were.
async function* answers<T>(query: string, variables: Record<string, any> = {}): AsyncGenerator<T, void> {
  for (;;) {
    try {
      const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
      const signed = token ? { ...headers, authorization: `Bearer ${token}` } : headers;
      const answer = await fetch(url, { method: 'POST', headers: signed, body: JSON.stringify({ query, variables }) });
      if (answer.status >= 500) throw new TypeError(`The server answers with ${answer.status}.`);
      if (answer.status !== 200) throw ((await answer.json()) as { errors: Failed[] }).errors;
      let rest = '';
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          if (line === 'event: complete') return;
          if (!line.startsWith('data: {')) continue;
          const { data, errors } = JSON.parse(line.slice(6));
          if (errors) throw errors;
          const [field] = Object.values<any>(data);
          if ('after' in variables) variables.after = field.version;
          yield field;
        }
      }
      throw new TypeError('The line was cut.');
    } catch (error) {
      await pass(error as Failed[] | Error);
    }
  }
}

async function ask<T>(query: string, variables: Record<string, any> = {}): Promise<T> {
  for await (const answer of answers<T>(query, variables)) return answer;
  throw new Error('There was no answer.');
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
  const updates = answers<Update>(FOLLOW, { table: table.id, after: 0 });
  let seen = 0;
  for (let count = 0; count < most && table.status !== 'OVER' && table.legalMoves.length > 0; count += 1) {
    const move = await choose(table);
    await fill(move);
    const answer = await ask<Refused & { update?: Update }>(PLAY, {
      input: { tableId: table.id, move: move.input, seat: move.seat, idempotencyKey: randomUUID() },
    });
    if (answer.code) console.log(`${answer.code}: ${answer.message}`);
    table = answer.update?.table ?? answer.table ?? table;
    while (seen < table.version) {
      const { value } = await updates.next();
      if (!value) break;
      seen = value.version;
      for (const { text } of value.events) console.log(`  ${text}`);
    }
  }
  console.log(table.status);
  process.exit(0);
}

main().catch(({ message }: Error) => {
  console.error(message);
  process.exit(1);
});
