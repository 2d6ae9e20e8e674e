// Lets one client do everything that frontends do, and writes what it saw as one line of JSON.
//
//   node scenario.mjs CLIENT URL
import { connect, createServer } from 'node:net';
import { adapters } from './adapters.mjs';

const [name, url] = process.argv.slice(2);

async function direct(query, variables, headers = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

// A line to the server that can be cut.
const lines = new Set();
const target = new URL(url);
const proxy = createServer((here) => {
  const there = connect(Number(target.port), target.hostname);
  for (const [one, other] of [[here, there], [there, here]]) {
    lines.add(one);
    one.on('error', () => {});
    one.on('close', () => (lines.delete(one), other.destroy()));
    one.pipe(other);
  }
});
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const cut = () => lines.forEach((one) => one.destroy());
const through = `http://127.0.0.1:${proxy.address().port}${target.pathname}`;

const { signInAsGuest } = await direct(
  'mutation { signInAsGuest(input: {name: "Ann"}) { token } }',
);
const headers = { authorization: `Bearer ${signInAsGuest.token}` };
const client = adapters[name]({ url: through, socketUrl: through.replace('http', 'ws'), headers });

const CREATE = `mutation ($i: CreateTableInput!) {
  createTable(input: $i) { ... on TableOpened { table { id } } ... on Refusal { code } }
}`;
const PLAY = `mutation ($i: PlayMoveInput!) {
  playMove(input: $i) {
    __typename
    ... on MovePlayed { table { status version } }
    ... on Refusal { code legalMoves { input } }
  }
}`;
const FOLLOW = `subscription ($t: ID!, $a: Int) {
  tableUpdates(tableId: $t, after: $a) { version events { __typename text } }
}`;
const open = async () =>
  (await direct(CREATE, { i: { game: { callIt: {} } } }, headers)).createTable.table.id;
const move = async (table, callIt) =>
  (await direct(PLAY, { i: { tableId: table, move: { callIt } } }, headers)).playMove;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function playToTheEnd(table, called = false) {
  let answer = called ? null : await move(table, { call: { target: 31 } });
  while (answer?.table?.status !== 'OVER') {
    await pause(5);
    answer = await move(table, { flip: true });
  }
  return answer.table.version;
}

const codes = (errors) => [errors].flat().map((one) => one?.extensions?.code ?? String(one));
const seen = {};

seen.query = (await client.ask('{ games { id } }')).data.games.length > 0;

const table = await open();
const { data } = await client.ask(PLAY, { i: { tableId: table, move: { callIt: { flip: true } } } });
seen.refusal = [data.playMove.__typename, data.playMove.legalMoves.length > 0];

seen.validation = codes((await client.ask('{ nothing }')).errors);
try {
  seen.syntax = codes((await client.ask('{ games {')).errors);
} catch (error) {
  seen.syntax = [error.message.startsWith('Syntax Error') ? 'by the client' : String(error)];
}

const versions = [];
const following = client.follow(FOLLOW, { t: table, a: 0 }, ({ tableUpdates }) => versions.push(tableUpdates.version));
const last = await playToTheEnd(table);
await following;
seen.subscription = versions.length === last && versions.every((version, at) => version === at + 1);

const second = await open();
const resumed = [];
let interruptions = 0;
const resuming = (async () => {
  for (;;) {
    try {
      await client.follow(FOLLOW, { t: second, a: resumed.at(-1) ?? 0 }, ({ tableUpdates }) => {
        resumed.push(tableUpdates.version);
      });
      return;
    } catch (error) {
      if (Array.isArray(error)) throw new Error(JSON.stringify(error));
      interruptions += 1;
      await pause(20);
    }
  }
})();
while (resumed.length < 1) await pause(5);
await move(second, { call: { target: 31 } });
while (resumed.length < 2) await pause(5);
cut();
const end = await playToTheEnd(second, true);
await resuming;
seen.resumed =
  interruptions > 0 && resumed.length === end && resumed.every((version, at) => version === at + 1);

const third = await open();
const both = [];
const good = client.follow(FOLLOW, { t: third, a: 0 }, ({ tableUpdates }) => both.push(tableUpdates.version));
while (both.length < 1) await pause(5);
seen.failing = await client.follow(FOLLOW, { t: 'tbl_00000000000000000000' }, () => {}).then(
  () => ['completed'],
  codes,
);
const whole = await playToTheEnd(third);
await good;
seen.beside = both.length === whole;

console.log(JSON.stringify(seen));
await client.close?.();
proxy.close();
process.exit(0);
