import { protocols } from '@dragoman/core/protocols'
import { usd } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import type { Stage } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { nearOffload } from './near-offload.ts'
import { fakeProvider } from './scripted.ts'
import { KEY, setUp } from './set-up.ts'

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d494844520000040000000400', 'hex'),
  Buffer.alloc(300_000, 7),
]).toString('base64')
/** Base64 of a megabyte, which is also a text. */
const LONG = 'QUJD'.repeat(262_144)

/** The tokens that a call is expected to use, in this thread or in another one. */
async function expected(path: string, body: object, offload: boolean): Promise<number> {
  const tokens: number[] = []
  const stage: Stage = { beforeCall: (call) => void tokens.push(call.estimate().tokens) }
  const facts = { dimensions: 4, tokens: true }
  const models = [
    card('m', { prices: usd({ prompt: 1 }) }),
    card('v', { embedding: facts, prices: usd({ prompt: 1 }) }),
  ]
  const providers = [fakeProvider('acme', ['chat'], models), fakeProvider('goo', ['genai'], models)]
  const near = nearOffload(1)
  const { send } = setUp({ protocols, providers, stages: [stage], ...(offload ? { offload: near } : {}) })
  await send(JSON.stringify(body), path, KEY)
  await expect.poll(() => tokens).toHaveLength(1)
  return tokens[0] ?? 0
}

const CHAT = '/api/v1/chat/completions'
const user = (content: unknown) => ({ model: 'acme/m', max_tokens: 1, messages: [{ role: 'user', content }] })
const EMBED = '/api/vertex-ai/v1beta/models/goo/v:embedContent'

describe('the estimate of a call', () => {
  it.each([
    ['a text', CHAT, user('天地 Hello '.repeat(30_000)), 60_000],
    ['a text like a file', CHAT, user(LONG), LONG.length / 4],
    ['an image', CHAT, user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }]), 1399],
    ['a text for embeddings', '/api/v1/embeddings', { model: 'acme/v', input: LONG }, LONG.length / 4],
    [
      'tokens for embeddings',
      '/api/v1/embeddings',
      { model: 'acme/v', input: [Array.from({ length: 5000 }, () => 199_999)] },
      5000,
    ],
    ['a text for embeddings of genai', EMBED, { content: { parts: [{ text: LONG }] } }, LONG.length / 4],
  ])('is the same in every thread, and not less than it can be: %s', async (_title, path, body, least) => {
    const here = await expected(path, body, false)
    expect(await expected(path, body, true)).toBe(here)
    expect(here).toBeGreaterThanOrEqual(least)
    expect(here).toBeLessThan(least * 3 + 100)
  })
})

it('the map of media covers every protocol that is served', () => {
  expect(protocols.filter(({ relay }) => relay.media === undefined).map(({ name }) => name)).toEqual([])
})
