// Plays at a table of Call It and Flip with graphql-ws until it is over: the target is 30, then flips.
// What it sees and does goes to its standard output as lines of JSON. Whatever breaks is tried again.
//
//   node racer.mjs URL TOKEN TABLE PACE [DROP_AT SECONDS]
//
// PACE is how many milliseconds it waits before a flip. At version DROP_AT its socket breaks without a
// close frame, and it is away for so many SECONDS.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [url, token, tableId, pace, dropAt, seconds] = process.argv.slice(2);
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const fields = `version status overReason toAct mySeat host { name } seats { name score connected }
  round { number } legalMoves { name }`;
const follow = `subscription ($tableId: ID!, $after: Int) {
  tableUpdates(tableId: $tableId, after: $after) { version events { __typename seat } table { ${fields} } }
}`;
const play = `mutation ($input: PlayMoveInput!) { playMove(input: $input) {
  __typename ... on MovePlayed { update { version } } ... on Refusal { code at: table { version } }
} }`;

let latest = null;
let away = false;
let over = false;
let wake = () => {};

async function ask(query, variables) {
  for (;;) {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = await answer.json();
      if (!errors) return data;
      if (!errors.every(({ extensions }) => extensions.retryable)) throw new Error(JSON.stringify(errors));
    } catch (error) {
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
    }
    await sleep(100);
  }
}

async function act() {
  let due = 0;
  let keys = 0;
  for (;;) {
    while (!over && (away || !latest || latest.version < due || !latest.toAct.includes(latest.mySeat))) {
      await new Promise((resolve) => { wake = resolve; });
    }
    if (over) return;
    const call = latest.legalMoves[0].name === 'call';
    if (!call) await sleep(Number(pace));
    if (over || away) continue;
    const move = { callIt: call ? { call: { target: 30 } } : { flip: true } };
    const input = { tableId, move, idempotencyKey: `${latest.mySeat}-${keys++}` };
    const { playMove } = await ask(play, { input });
    if (playMove.update) {
      due = playMove.update.version;
      say({ played: due, key: input.idempotencyKey });
    } else {
      due = Math.max(latest.version, playMove.at.version);
    }
  }
}

async function watch() {
  let after = 0;
  let dropped = !dropAt;
  while (!over) {
    const client = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    try {
      for await (const { data, errors } of client.iterate({ query: follow, variables: { tableId, after } })) {
        if (errors) throw errors;
        const update = data.tableUpdates;
        after = update.version;
        latest = update.table;
        say(update);
        if (!dropped && after >= Number(dropAt)) {
          dropped = away = true;
          client.terminate();
          break;
        }
        wake();
      }
      over = !away;
    } catch (error) {
      say({ broken: error.code ?? error.map?.(({ extensions }) => extensions?.code) ?? String(error) });
    } finally {
      await client.dispose();
    }
    if (away) {
      await sleep(Number(seconds) * 1000);
      away = false;
      wake();
    } else if (!over) {
      await sleep(50);
    }
  }
  wake();
}

await Promise.all([watch(), act()]);
say({ completed: true });
