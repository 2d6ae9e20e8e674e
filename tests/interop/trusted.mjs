// A trusted document by its hash, as docs/clients.md has it.
//
//   node trusted.mjs URL HASH HASH TABLE     (the hashes of the operations Games and Follow)
import { createClient } from 'graphql-ws'

const [url, games, follow, table] = process.argv.slice(2)

const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ documentId: games, variables: {} })
const posted = await (await fetch(url, { method: 'POST', headers, body })).json()

const asked = new URLSearchParams({ documentId: games, operationName: 'Games', variables: '{}' })
const got = await (await fetch(`${url}?${asked}`)).json()

// The types of graphql-ws want a text; it may be empty.
const client = createClient({ url: url.replace('http', 'ws'), retryAttempts: 0 })
const payload = { query: '', documentId: follow, variables: { table } }
for await (const { data, errors } of client.iterate(payload)) {
  console.log(JSON.stringify({ posted, got, data, errors }))
  break
}
await client.dispose()
