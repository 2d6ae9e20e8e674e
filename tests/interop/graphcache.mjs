// urql with its normalised cache as docs/clients.md has it, whose piece is from here. It opens a table, plays a move,
// looks at what is there, and writes what the cache says then, and what it has warned of.
//
//   node graphcache.mjs URL
const warned = []
for (const level of ['warn', 'error']) console[level] = (...told) => warned.push(told.map(String).join(' '))

const { Client, fetchExchange, gql } = await import('@urql/core')
const { cacheExchange } = await import('@urql/exchange-graphcache')
const { getIntrospectionQuery } = await import('graphql')

const url = process.argv[2]
let token

// What has no id is a part of what has one. A build can write the schema into a file.
async function cacheFor(url) {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ query: getIntrospectionQuery() })
  const { data: schema } = await (await fetch(url, { method: 'POST', headers, body })).json()
  const parts = schema.__schema.types.filter(({ fields }) => fields && !fields.some(({ name }) => name === 'id'))
  return cacheExchange({ schema, keys: Object.fromEntries(parts.map(({ name }) => [name, () => null])) })
}

const client = new Client({
  url,
  exchanges: [await cacheFor(url), fetchExchange],
  preferGetMethod: false,
  fetchOptions: () => ({ headers: token ? { authorization: `Bearer ${token}` } : {} }),
})
const carry = async (kind, document, variables = {}, context = {}) => {
  const { data, error } = await client[kind](document, variables, context).toPromise()
  if (error) throw error
  return data
}

const TABLE = gql`fragment T on Table {
  id version status host { id name } game { id name options { name type } } mode { id name metrics { name } }
  house { turnSeconds } gameOptions { name value } modeOptions { name value } seats { index name player { id name } }
  round { number status ... on CallItRound { target hands { status cards { text } } } }
  run { overReason ... on ClassicRun { overReason } } legalMoves { label input fields { name min } }
  prompt { text } fairness { algorithm shuffles { number commitment } }
}`
token = (await carry('mutation', gql`mutation { signInAsGuest(input: { name: "Ann" }) { token player { id name } } }`))
  .signInAsGuest.token
const open = gql`mutation Open($input: CreateTableInput!) {
  createTable(input: $input) { ... on TableOpened { table { ...T } } ... on Refusal { code } }
} ${TABLE}`
const { id } = (await carry('mutation', open, { input: { game: { callIt: {} } } })).createTable.table
const look = gql`query Look($id: ID!) {
  table(id: $id) { ...T updates(last: 5) { nodes { version events { __typename seat text } } pageInfo { endCursor } } }
} ${TABLE}`
await carry('query', look, { id })
const play = gql`mutation Play($input: PlayMoveInput!) {
  playMove(input: $input) {
    ... on MovePlayed { update { version events { text } table { ...T } } }
    ... on Refusal { code message }
  }
} ${TABLE}`
await carry('mutation', play, { input: { tableId: id, move: { callIt: { call: { target: 31 } } } } })
const others = gql`{
  games { id name seating { mode { id } seatCounts options { name } } modes { id name } }
  me { id records { metric { name } } } daily { date target counts { attempts } }
  tables(first: 2) { nodes { id } pageInfo { hasNextPage } edges { cursor } }
  records(mode: "streak", metric: "streak") { nodes { rank } }
}`
await carry('query', others)
const { table } = await carry('query', look, { id }, { requestPolicy: 'cache-only' })
console.log(JSON.stringify({ version: table.version, target: table.round.target, seats: table.seats, warned }))
