import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { createFetchHandler, createGateway } from '../src/index.ts'
import { operations } from '../src/operations/table.ts'

/** A path of every operation of every protocol that has it. */
const PATHS = [
  'POST /api/v1/chat/completions chat generate',
  'POST /api/v1/responses responses generate',
  'POST /api/anthropic/v1/messages messages generate',
  'POST /api/vertex-ai/v1beta/models/m:generateContent genai generate',
  'POST /api/v1/images/generations chat image',
  'POST /api/v1/images/edits chat image-edit',
  'POST /api/vertex-ai/v1beta/models/m:predict genai predict',
  'POST /api/v1/embeddings chat embedding',
  'POST /api/v1/rerank chat rerank',
  'POST /api/vertex-ai/v1beta/models/m:embedContent genai embedding',
  'POST /api/vertex-ai/v1beta/models/m:batchEmbedContents genai embedding-batch',
  'POST /api/vertex-ai/v1beta/models/m:predictLongRunning genai video-submit',
  'POST /api/vertex-ai/v1beta/models/m:fetchPredictOperation genai video-poll',
  'POST /api/v1/responses/input_tokens responses count',
  'POST /api/anthropic/v1/messages/count_tokens messages count',
  'POST /api/vertex-ai/v1beta/models/m:countTokens genai count',
  'GET /api/v1/models chat models',
  'GET /api/anthropic/v1/models messages models',
  'GET /api/vertex-ai/v1beta/models genai models',
  'GET /api/v1/models/m chat model',
  'GET /api/anthropic/v1/models/m messages model',
  'GET /api/vertex-ai/v1beta/models/m genai model',
].map((line) => line.split(' '))

/** The same path at the root. */
function atRoot(path: string): string {
  return path.replace(/^\/api(?:\/anthropic|\/vertex-ai)?/, '')
}

/** What needs no key. A result has a sealed link, which is a key for one file. */
const OPEN = ['base', 'result']

const gateway = createGateway({
  providers: [
    { name: 'p', models: [{ name: 'm', input: ['text'], output: ['text'] }], protocols: ['chat'], call: () => never() },
  ],
  transport: { send: () => never() },
  keys: { find: () => undefined },
  modelLists: 'private',
})
const handle = createFetchHandler(gateway)

describe('every operation', () => {
  it('says whether it needs a key, and only these need none', () => {
    for (const { name, needsKey } of operations) expect([name, typeof needsKey]).not.toEqual([name, 'undefined'])
    expect(
      operations
        .filter(({ needsKey }) => needsKey === false)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(OPEN)
    const lists = operations.filter(({ needsKey }) => needsKey === 'if private').map(({ name }) => name)
    expect(lists).toEqual(['models', 'model'])
  })

  it('has a path below, in each protocol that has it', () => {
    const known = new Set(PATHS.map(([, , , operation]) => operation))
    const names = operations.map(({ name }) => name).filter((name) => name !== 'explain' && !OPEN.includes(name))
    expect(names.filter((name) => !known.has(name))).toEqual([])
    for (const [method = '', path = '', name, operation] of PATHS) {
      const protocol = protocols.find((each) => each.name === name)
      const match = protocol?.http.match(method, path.slice(protocol.http.base.length), new URLSearchParams())
      expect(match).toMatchObject({ operation })
    }
  })

  const addresses = PATHS.flatMap(([method, path = '']) => [path, atRoot(path)].map((at) => [method, at] as const))
  it.each(addresses.flatMap(([method, path]) => [[method, path] as const, [method, `/explain${path}`] as const]))(
    'is refused without a valid key: %s %s',
    async (method = '', path = '') => {
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { 'x-api-key': 'wrong' }]) {
        const init = { method, headers: { ...headers, 'content-type': 'application/json' } }
        const response = await handle(
          new Request(`http://gateway.test${path}`, method === 'POST' ? { ...init, body: '{}' } : init),
        )
        // Not everything can be explained: that path does not exist.
        const expected = path.startsWith('/explain') ? [401, 404, 405] : [401]
        expect(expected).toContain(response.status)
      }
    },
  )

  it('gives a result to a sealed link only', async () => {
    const response = await handle(new Request('http://gateway.test/api/vertex-ai/v1/results?token=wrong'))
    expect(response.status).toBeGreaterThanOrEqual(400)
  })
})

function never(): never {
  throw new Error('No upstream may be called.')
}
