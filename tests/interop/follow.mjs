// Follows a table with graphql-ws until it completes, and writes what it sees as lines of JSON.
//
//   node follow.mjs URL TOKEN TABLE [AFTER]
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [url, token, tableId, after] = process.argv.slice(2);
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');

const client = createClient({
  url,
  webSocketImpl: WebSocket,
  connectionParams: { authorization: `Bearer ${token}` },
  retryAttempts: 0,
});

const query = `subscription ($tableId: ID!, $after: Int) {
  tableUpdates(tableId: $tableId, after: $after) {
    version
    events { __typename seat text ... on CallItFlipped { card { text } } }
    table { version status toAct }
  }
}`;

client.on('connected', () => say({ connected: true }));
const updates = client.iterate({ query, variables: { tableId, after: after ? Number(after) : null } });
try {
  for await (const { data, errors } of updates) {
    say(errors ? { errors } : data.tableUpdates);
  }
  say({ completed: true });
} catch (error) {
  // A closed connection is a CloseEvent, errors of the operation are a list.
  say({ failed: Array.isArray(error) ? error : { code: error.code, reason: error.reason } });
}
await client.dispose();
