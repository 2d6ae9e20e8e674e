// Follows a table with graphql-ws, retries included, and writes what it sees as lines of JSON.
//
//   node expiry.mjs URL TABLE stop|again TOKEN [TOKEN …]
//
// Each connection takes the next token, and the last one again and again. With `stop` it does as
// docs/frontend.md says: a connection that was closed with 4403 is not opened again with the same token.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [url, table, mode, ...tokens] = process.argv.slice(2);
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');

const client = createClient({
  url,
  webSocketImpl: WebSocket,
  connectionParams: async () => ({ authorization: `Bearer ${tokens.length > 1 ? tokens.shift() : tokens[0]}` }),
  retryAttempts: 2,
  retryWait: async () => {},
  ...(mode === 'stop' && { shouldRetry: ({ code }) => code !== 4403 }),
});

client.on('connected', () => say({ connected: true }));
client.on('closed', ({ code, reason }) => say({ closed: code, reason }));
const query = 'subscription ($table: ID!) { tableUpdates(tableId: $table) { version table { status mySeat } } }';
try {
  for await (const { data, errors } of client.iterate({ query, variables: { table } })) {
    say(errors ? { errors } : data.tableUpdates);
    if (data?.tableUpdates.table.status === 'OVER') break;
  }
} catch (error) {
  say({ failed: Array.isArray(error) ? error : error.code });
}
await client.dispose();
