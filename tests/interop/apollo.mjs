// Apollo Client as docs/clients.md has it, whose pieces are from here.
//
//   node apollo.mjs URL
//
// Does what lines of JSON on standard input say ({"do": NAME, …}) and answers with lines of JSON.
import { createInterface } from 'node:readline'
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache, gql } from '@apollo/client'
import { SetContextLink } from '@apollo/client/link/context'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { createClient } from 'graphql-ws'

const url = process.argv[2] ?? 'http://localhost:8000/graphql'

let token
const authorization = () => (token ? { authorization: `Bearer ${token}` } : {})
const socket = createClient({ url: url.replace('http', 'ws'), connectionParams: authorization, retryAttempts: 0 })

// The parts of a table have no ids. One selection does not drop what another has fetched of the same part, and what
// is of another round, or of somebody who sat there before, is not kept.
const alike = (tell) => (had, came, { mergeObjects, readField }) => {
  const of = (part) => (part ? tell(part, readField) : undefined)
  const merged = (one, same) => (same && of(same) !== undefined && of(same) === of(one) ? mergeObjects(same, one) : one)
  if (!Array.isArray(came)) return merged(came, had)
  return came.map((one) => merged(one, had?.find((other) => of(other) === of(one))))
}
const by = (name) => ({ merge: alike((part, readField) => readField(name, part)) })
// Two players may have one name; local seats have no player, but names of their own.
const who = (seat, readField) => {
  const player = readField('player', seat)
  return player === null ? readField('name', seat) : player?.__ref
}
const together = { merge: true }
const anew = { merge: false }

const typePolicies = {
  Table: {
    fields: {
      house: together,
      run: together,
      fairness: together,
      round: by('number'),
      seats: { merge: alike(who) },
      gameOptions: by('name'),
      modeOptions: by('name'),
      legalMoves: anew,
      prompt: anew,
      updates: anew,
    },
  },
  Player: { fields: { records: anew } },
  Query: { fields: { daily: by('date'), tables: anew, records: anew, myChallenges: anew } },
}

// Which types a fragment on an interface or a union is for. A build can write it into a file.
async function possibleTypesOf(url) {
  const query = '{ __schema { types { name possibleTypes { name } } } }'
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { types } = (await answer.json()).data.__schema
  const several = types.filter(({ possibleTypes }) => possibleTypes)
  return Object.fromEntries(several.map(({ name, possibleTypes }) => [name, possibleTypes.map(({ name }) => name)]))
}

const client = new ApolloClient({
  cache: new InMemoryCache({ typePolicies, possibleTypes: await possibleTypesOf(url) }),
  link: ApolloLink.split(
    ({ operationType }) => operationType === 'subscription',
    new GraphQLWsLink(socket),
    new SetContextLink(({ headers }) => ({ headers: { ...headers, ...authorization() } })).concat(
      new HttpLink({ uri: url }),
    ),
  ),
})

async function signIn() {
  token = undefined // one that has ended would be refused here too
  const { data } = await client.mutate({
    mutation: gql`mutation SignIn { signInAsGuest(input: { name: "Ann" }) { token } }`,
  })
  token = data.signInAsGuest.token
  socket.terminate() // what is open stays with whom it was opened for
}

const TABLE = gql`fragment T on Table {
  id version status round { number status } seats { index name score player { id } }
}`

const OPEN = gql`mutation Open($input: CreateTableInput!) {
  createTable(input: $input) { ... on TableOpened { table { ...T } } ... on Refusal { code message } }
} ${TABLE}`

const PLAY = gql`mutation Play($input: PlayMoveInput!) {
  playMove(input: $input) {
    ... on MovePlayed { update { version table { ...T } } }
    ... on Refusal { code message table { ...T } legalMoves { input } }
  }
} ${TABLE}`

async function open(game) {
  const { data } = await client.mutate({ mutation: OPEN, variables: { input: { game } } })
  return data.createTable.table
}

async function play(tableId, move) {
  const { data } = await client.mutate({ mutation: PLAY, variables: { input: { tableId, move } } })
  return data.playMove.code ?? data.playMove.update.version
}

const FOLLOW = gql`subscription Follow($table: ID!, $after: Int) {
  tableUpdates(tableId: $table, after: $after) { version events { text } table { ...T } }
} ${TABLE}`
const PASSING = ['INTERRUPTED', 'RATE_LIMITED', 'TOO_SLOW', 'UNAVAILABLE']

let closed // the code: Apollo Client makes a sentence of it
socket.on('closed', ({ code }) => (closed = code))

// An update has the table as it was then. It must not take the place of a later one.
function keep(table) {
  const id = client.cache.identify(table)
  const had = client.cache.readFragment({ id, fragment: gql`fragment V on Table { version }` })
  if (!had || had.version < table.version) client.cache.writeFragment({ id, fragment: TABLE, data: table })
}

const updates = (variables, next) =>
  new Promise((resolve, reject) => {
    client.subscribe({ query: FOLLOW, variables, fetchPolicy: 'no-cache' }).subscribe({
      next: ({ data, error }) => (error ? reject(error) : next(data.tableUpdates)),
      error: reject,
      complete: resolve,
    })
  })

async function follow(table, show, after = 0) {
  for (let pause = 250; ; pause = Math.min(pause * 2, 10_000)) {
    const mine = token
    closed = undefined
    try {
      return await updates({ table, after }, (update) => {
        after = update.version
        pause = 250
        keep(update.table)
        show(update)
      })
    } catch (error) {
      for (const { extensions } of CombinedGraphQLErrors.is(error) ? error.errors : []) {
        if (!PASSING.includes(extensions.code) && !extensions.retryable) throw error
        pause = Math.max(pause, 1000 * (extensions.retryAfter ?? 0))
      }
      if (closed === 4403 && token === mine) await signIn()
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

const HISTORY = gql`query History($table: ID!, $after: String) {
  table(id: $table) {
    id
    updates(first: 100, after: $after) {
      nodes { version events { text } table { ...T } }
      pageInfo { hasNextPage endCursor }
    }
  }
} ${TABLE}`
const history = async (table, after) =>
  (await client.query({ query: HISTORY, variables: { table, after }, fetchPolicy: 'no-cache' })).data.table.updates

const say = (line) => console.log(JSON.stringify(line))
const warned = []
for (const level of ['warn', 'error']) console[level] = (...told) => warned.push(told.map(String).join(' '))
const doing = {
  signIn: async () => (await signIn(), { token }),
  warned: () => ({ warned }),
  token: () => ({ token: token ?? null }),
  open: async () => ({ table: (await open({ callIt: {} })).id }),
  play: async ({ table, move }) => ({ played: await play(table, move) }),
  history: async ({ table }) => ({ history: (await history(table)).nodes.map((node) => node.table.version) }),
  async follow({ table, after }) {
    const shown = ({ version, table }) => say({ version, at: table.version })
    void follow(table, shown, after).then(
      () => say({ over: true }),
      (error) => say({ failed: error.errors?.[0]?.extensions.code ?? error.message }),
    )
    return { following: true }
  },
  async cached({ table }) {
    const id = client.cache.identify({ __typename: 'Table', id: table })
    return { cached: client.cache.extract()[id] ?? null }
  },
  // Another selection of the same table.
  async look({ table }) {
    const query = gql`query Look($table: ID!) {
      table(id: $table) { id house { graceSeconds } seats { name local player { id } } round { number toAct } }
    }`
    await client.query({ query, variables: { table }, fetchPolicy: 'network-only' })
    return { looked: true }
  },
  async ask({ query, variables }) {
    await client.query({ query: gql(query), variables, fetchPolicy: 'network-only' })
    return { asked: true }
  },
  cache: () => ({ cache: client.cache.extract() }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, ...given } = JSON.parse(line)
  say(await doing[what](given))
}
await socket.dispose()
process.exit(0)
