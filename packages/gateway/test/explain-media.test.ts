import { perCount, perSecond, usd, type Card } from '@dragoman/core/provider'
import { expect, it } from 'vitest'
import type { Stage } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { explaining } from './explaining.ts'
import { fakeProvider } from './scripted.ts'

const VIDEO = { instances: [{ prompt: 'A lighthouse.' }], parameters: { sampleCount: 2 } }
const RANKED = { model: 'up/m', query: 'boats', documents: ['a', 'b', 'c'] }

/** What each call costs by the prices of its card: the number of units times the price of one. */
const CALLS: readonly [what: string, facts: Partial<Card>, path: string, body: object, dollars: string][] = [
  [
    'images',
    { image: { most: 4, perCall: 1 }, output: ['image'], prices: usd({ image: perCount(0.04) }) },
    '/api/v1/images/generations',
    { model: 'up/m', prompt: 'A house.', n: 3 },
    '0.12',
  ],
  [
    'videos',
    { video: { defaultSeconds: 8, most: 2 }, output: ['video'], prices: usd({ video: perSecond(0.5) }) },
    '/api/vertex-ai/v1/publishers/up/models/m:predictLongRunning',
    VIDEO,
    '8',
  ],
  [
    'reranking by searches',
    { rerank: { searchDocuments: 2 }, prices: usd({ search: perCount(0.002) }) },
    '/api/v1/rerank',
    RANKED,
    '0.004',
  ],
]

it.each(CALLS)(
  'the explained price of %s is that of what they are billed for',
  async (_what, facts, path, body, dollars) => {
    const { explain } = serve(facts)
    const [route] = (await explain(body, path)).routes
    expect(route?.price?.dollars).toBe(dollars)
    expect(route?.price?.unpriced).toBeUndefined()
  },
)

/** Their tokens are estimated. */
const ESTIMATED: typeof CALLS = [
  [
    'embeddings',
    { embedding: {}, prices: usd({ prompt: 100, completion: 100 }) },
    '/api/v1/embeddings',
    { model: 'up/m', input: 'Hi' },
    '',
  ],
  ['reranking by tokens', { rerank: {}, prices: usd({ prompt: 100, completion: 100 }) }, '/api/v1/rerank', RANKED, ''],
]

it.each([...CALLS, ...ESTIMATED])(
  'the explained price of %s is what a budget reserves',
  async (_what, facts, path, body) => {
    let reserved: number | undefined
    const { explain, call } = serve(facts, (nanos) => (reserved = nanos))
    const [route] = (await explain(body, path)).routes
    await call(body, path)
    await expect.poll(() => reserved).toBe(route?.price?.nanos)
  },
)

/** `onReserve` gets what is reserved for a call before it is sent. */
function serve(facts: Partial<Card>, onReserve: (nanos: number) => void = () => {}) {
  const stage: Stage = {
    beforeRoute: (call) => call.requirePrice(),
    beforeCall: (call) => onReserve(call.estimate().nanos),
  }
  return explaining({
    providers: [fakeProvider('up', ['chat', 'genai'], [card('m', facts)])],
    stages: [stage],
    sealingKeys: ['0123456789abcdef0123456789abcdef'],
  })
}
