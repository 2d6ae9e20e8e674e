// A frontend for the terminal that plays any game of a Fliptable server.
//
//   tsc && node play.js [URL] [GAME] [--auto] [--moves=N]     (or, with Node.js 22.18 and newer, node play.ts)
//
// It knows no game: what can be played comes from `legalMoves`, what happened from the events of the table's
// subscription (as server-sent events). Everybody sits at this terminal. Needs nothing but Node.js 22.
import { randomUUID } from 'node:crypto';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Limits = { min: number | null; max: number | null; choices: Json[] | null; maxItems: number | null };
type Field = Limits & { path: string; type: string; description: string; list: boolean };
type Move = { seat: number | null; label: string; input: Json; fields: Field[] };
type Table = { id: string; version: number; status: string; seats: { name: string }[]; legalMoves: Move[] };
type Update = { version: number; events: { text: string }[] };
type Game = { id: string; input: string; minSeats: number };
type Failed = { message: string; extensions: { code: string; retryAfter?: number; retryable?: boolean } };
type Answer = { table: Table; code?: string; message?: string };

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const url = words[0] ?? 'http://localhost:8000/graphql';
const wanted = words[1] ?? 'call-it';
const auto = process.argv.includes('--auto');
const most = Number(process.argv.find((word) => word.startsWith('--moves='))?.slice(8) ?? 10_000);
let token: string | undefined;

const TABLE = `table { id version status seats { name } legalMoves {
  seat label input fields { path type description min max choices list maxItems } } }`;
const OPEN = `mutation ($input: CreateTableInput!) { createTable(input: $input) {
  ... on TableOpened { ${TABLE} } ... on Refusal { code message } } }`;
const PLAY = `mutation ($input: PlayMoveInput!) { playMove(input: $input) {
  ... on MovePlayed { ${TABLE} } ... on Refusal { code message ${TABLE} } } }`;
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
const lines = auto ? null : createInterface({ input: stdin })[Symbol.asyncIterator]();

// What is typed in; at its end (Ctrl-D) the program ends.
async function typed(prompt: string): Promise<string> {
  stdout.write(prompt);
  const { value, done } = await lines!.next();
  return done ? process.exit(0) : value.trim();
}

async function choose({ legalMoves, seats }: Table): Promise<Move> {
  if (auto) return by(legalMoves);
  const names = seats.map(({ name }) => `${name}: `);
  legalMoves.forEach(({ seat, label }, at) => console.log(`${at + 1}. ${names[seat ?? -1] ?? ''}${label}`));
  return legalMoves[Number(await typed('> ')) - 1] ?? choose({ legalMoves, seats } as Table);
}

// The value that is typed in for a field; an empty answer leaves what stands there.
async function valueOf(field: Field, stands: Json): Promise<Json> {
  const known = new Map(field.choices?.map((one) => [String(one), one]));
  const limits = field.choices ? [...known.keys()].join(', ') : `${field.min} to ${field.max}`;
  const read = (word: string) => (field.choices ? known.get(word) : field.type === 'Int' ? Number(word) : word);
  for (;;) {
    const answer = await typed(`${field.description} (${limits}) [${stands}] `);
    if (!answer) return stands;
    const values = answer.split(/\s+/).map(read);
    const right = values.every((one) => one !== undefined && !Number.isNaN(one));
    if (right) return (field.list ? values : values[0]) as Json;
    console.log('That is none of these.');
  }
}

async function fill(move: Move): Promise<void> {
  for (const field of move.fields) {
    const { path, choices, list, maxItems } = field;
    const steps = path.split('.');
    const last = steps.pop()!;
    const place = steps.reduce((inner: any, step) => inner[step], move.input);
    if (!auto) place[last] = await valueOf(field, place[last]);
    else if (choices) place[last] = list ? choices.slice(0, maxItems ?? 0) : by(choices);
  }
}

async function main(): Promise<void> {
  token = (await ask<{ token: string }>('mutation { signInAsGuest(input: {name: "Ann"}) { token } }')).token;
  const games = await ask<Game[]>('{ games { id input minSeats } }');
  const game = games.find(({ id }) => id === wanted);
  if (!game) throw new Error(`There is no game ${wanted}; there are ${games.map(({ id }) => id).join(', ')}.`);
  const localSeats = Array.from({ length: game.minSeats - 1 }, (_, at) => `Player ${at + 2}`);
  const input = { game: { [game.input]: {} }, seats: game.minSeats, localSeats };
  const opened = await ask<Answer>(OPEN, { input });
  if (opened.code) throw new Error(`${opened.code}: ${opened.message}`);
  let { table } = opened;
  const updates = answers<Update>(FOLLOW, { table: table.id, after: 0 });
  for (let left = most, shown = 0; ; left -= 1) {
    while (shown < table.version) {
      const { value } = await updates.next();
      if (!value) break;
      shown = value.version;
      for (const { text } of value.events) console.log(`  ${text}`);
    }
    if (left === 0 || table.status === 'OVER' || table.legalMoves.length === 0) break;
    const move = await choose(table);
    await fill(move);
    const answer = await ask<Answer>(PLAY, {
      input: { tableId: table.id, move: move.input, seat: move.seat, idempotencyKey: randomUUID() },
    });
    if (answer.code) console.log(`${answer.code}: ${answer.message}`);
    table = answer.table;
  }
  console.log(table.status);
  process.exit(0);
}

main().catch(({ message }: Error) => {
  console.error(message);
  process.exit(1);
});
