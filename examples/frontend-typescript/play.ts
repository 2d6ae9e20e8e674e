// A frontend for the terminal that plays any game of a Fliptable server.
//
//   tsc && node play.js [URL] [GAME]     (or, with Node.js 22.18 and newer, node play.ts)
//
// It knows no game: what can be played comes from `legalMoves`, what happened from the events of the table's
// subscription (as server-sent events). Everybody sits at this terminal. Needs nothing but Node.js 22.
import { randomUUID } from 'node:crypto';
import { argv, exit, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

type Limits = { type: string; min: number | null; max: number | null; choices: unknown[] | null };
type Field = Limits & { path: string; description: string; list: boolean };
type Move = { seat: number | null; label: string; input: object; fields: Field[] };
type Table = { seats: { name: string }[]; legalMoves: Move[] };
type Game = { id: string; input: string; minSeats: number };

const OPEN = `mutation ($input: CreateTableInput!) { createTable(input: $input) {
  ... on TableOpened { table { id } } ... on Refusal { code message } } }`;
const TABLE = `table { seats { name } legalMoves {
  seat label input fields { path type description min max choices list } } }`;
const FOLLOW = `subscription ($table: ID!, $after: Int) {
  tableUpdates(tableId: $table, after: $after) { version events { text } ${TABLE} } }`;
const PLAY = `mutation ($input: PlayMoveInput!) { playMove(input: $input) {
  ... on Refusal { code message ${TABLE} } } }`;
const PASSING = ['RATE_LIMITED', 'UNAVAILABLE', 'INTERRUPTED', 'TOO_SLOW'];

const [url = 'http://localhost:8000/graphql', wanted = 'call-it'] = argv.slice(2);
const headers: Record<string, string> = { accept: 'text/event-stream', 'content-type': 'application/json' };
const answersTyped = createInterface({ input: stdin })[Symbol.asyncIterator]();

// The one field of each answer. After a cut line, updates go on where they were.
async function* answers(query: string, variables: Record<string, unknown> = {}): AsyncGenerator<any, void> {
  for (;;) {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
      if (!answer.ok) throw ((await answer.json()) as any).errors[0];
      let rest = '';
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          if (line === 'event: complete') return;
          if (!line.startsWith('data: {')) continue;
          const { data, errors } = JSON.parse(line.slice(6));
          if (errors) throw errors[0];
          const [field] = Object.values<any>(data);
          if ('after' in variables) variables.after = field.version;
          yield field;
        }
      }
      throw new Error('The line was cut.');
    } catch (error: any) {
      // What stays wrong, as a dead token does, ends the program; what has no code is a cut line.
      const { code, retryAfter = 1, retryable } = error.extensions ?? { retryable: true };
      if (!retryable && !PASSING.includes(code)) throw new Error(`${code}: ${error.message}`);
      console.error(`${error.message} Trying again.`);
      await setTimeout(1000 * retryAfter);
    }
  }
}

// The answer to a query or mutation; a larger frontend generates its types from the schema.
async function ask(query: string, variables?: Record<string, unknown>): Promise<any> {
  for await (const answer of answers(query, variables)) return answer;
}

// What the words mean that are typed in; at their end (Ctrl-D) the program ends.
async function typed<T>(prompt: string, read: (word: string) => T | undefined): Promise<(T | undefined)[]> {
  for (;;) {
    stdout.write(prompt);
    const { value, done } = await answersTyped.next();
    if (done) exit(0);
    const values = value.split(/\s+/).filter(Boolean).map(read);
    if (!values.some((one) => one === undefined || Number.isNaN(one))) return values;
    console.log('That is none of these.');
  }
}

async function choose({ legalMoves, seats }: Table): Promise<Move> {
  const names = seats.map(({ name }) => `${name}: `);
  legalMoves.forEach(({ seat, label }, at) => console.log(`${at + 1}. ${names[seat ?? -1] ?? ''}${label}`));
  const [move] = await typed('> ', (word) => legalMoves[Number(word) - 1]);
  return move ?? choose({ legalMoves, seats });
}

// Sets the fields of a move to what is typed in; an empty answer leaves what stands there.
async function fill(move: Move): Promise<Move> {
  for (const { path, type, description, list, min, max, choices } of move.fields) {
    const steps = path.split('.');
    const last = steps.pop()!;
    const place = steps.reduce((inner: any, step) => inner[step], move.input);
    const known = new Map(choices?.map((one) => [String(one), one]));
    const limits = choices ? [...known.keys()].join(', ') : `${min} to ${max}`;
    const read = (word: string) => (choices ? known.get(word) : type === 'Int' ? Number(word) : word);
    const values = await typed(`${description} (${limits}) [${place[last]}] `, read);
    if (values.length > 0) place[last] = list ? values : values[0];
  }
  return move;
}

async function main(): Promise<void> {
  const { token } = await ask('mutation { signInAsGuest(input: {name: "Ann"}) { token } }');
  headers.authorization = `Bearer ${token}`;
  const games: Game[] = await ask('{ games { id input minSeats } }');
  const game = games.find(({ id }) => id === wanted);
  if (!game) throw new Error(`There is no game ${wanted}; there are ${games.map(({ id }) => id).join(', ')}.`);
  const localSeats = Array.from({ length: game.minSeats - 1 }, (_, at) => `Player ${at + 2}`);
  const input = { game: { [game.input]: {} }, seats: game.minSeats, localSeats };
  const { code, message, table: opened } = await ask(OPEN, { input });
  if (code) throw new Error(`${code}: ${message}`);
  for await (let { events, table } of answers(FOLLOW, { table: opened.id, after: 0 })) {
    for (const { text } of events) console.log(`  ${text}`);
    while (table?.legalMoves.length) {
      const { seat, input: move } = await fill(await choose(table));
      const input = { tableId: opened.id, seat, move, idempotencyKey: randomUUID() };
      const answer = await ask(PLAY, { input });
      if (answer.code) console.log(`${answer.code}: ${answer.message}`);
      table = answer.table; // if it was refused; otherwise the next update has it
    }
  }
  exit(0); // The table is over.
}

main().catch(({ message }: Error) => {
  console.error(message);
  exit(1);
});
