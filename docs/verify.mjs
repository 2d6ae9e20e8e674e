// Checks revealed shuffles (docs/fair-shuffle.md). Node.js 18 or newer, no packages:
//     fliptable verify --json … | node docs/verify.mjs
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

function* words(seed) {
  for (let counter = 0; ; counter++) {
    const block = Buffer.alloc(4)
    block.writeUInt32BE(counter)
    const digest = sha256(seed, block)
    for (let at = 0; at < 32; at += 4) yield digest.readUInt32BE(at)
  }
}

function shuffle(seed, cards) {
  const deck = [...cards]
  const stream = words(seed)
  for (let i = 0; i < deck.length - 1; i++) {
    const left = deck.length - i
    const limit = 2 ** 32 - (2 ** 32 % left)
    let word
    do word = stream.next().value
    while (word >= limit)
    const j = i + (word % left)
    ;[deck[i], deck[j]] = [deck[j], deck[i]]
  }
  return deck
}

function fault({ commitment, seed, cards, dealt }) {
  const bytes = Buffer.from(seed, 'hex')
  if (bytes.length !== 32 || seed.length !== 64) return 'the seed is not 32 bytes in hex'
  if (sha256(bytes).toString('hex') !== commitment) return 'the seed does not match its commitment'
  if (!cards) return 'the seed is revealed, but not the cards before the shuffle'
  const order = shuffle(bytes, cards)
  // null is a card that came out unseen.
  const wrong = (dealt ?? []).findIndex((card, place) => place >= order.length || (card ?? order[place]) !== order[place])
  return wrong < 0 ? null : `card ${wrong + 1} is ${dealt[wrong]}, but the seed gives ${order[wrong] ?? 'no more cards'}`
}

const { algorithm, shuffles } = JSON.parse(readFileSync(0, 'utf8'))
if (algorithm !== 'fliptable-shuffle-1') {
  console.log(`This script does not know the algorithm ${algorithm}.`)
  process.exit(1)
}
for (const one of shuffles) {
  const wrong = one.seed ? fault(one) : null
  if (wrong) process.exitCode = 1
  const found = wrong ?? (one.seed ? `OK, ${(one.dealt ?? []).filter((card) => card !== null).length} dealt cards compared` : 'not revealed yet')
  console.log(`shuffle ${one.number} (${one.name}): ${found}`)
}
