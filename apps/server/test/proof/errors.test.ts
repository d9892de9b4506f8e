import { describe, expect, it, vi } from 'vitest'
import { createAnthropic } from '../clients/anthropic.ts'
import type { Raised } from '../clients/client.ts'
import { createOpenAI } from '../clients/openai.ts'
import { errorsOf, failuresOf, type FailureScene } from './failures.ts'
import { DELIVERIES, PAIRS, UPSTREAMS, useOwnStage, type Pair } from './stage.ts'

const { server, double } = useOwnStage({ DRAGOMAN_TRUSTED_PROXIES: '127.0.0.0/8,::1' })

const SCENES = PAIRS.map((pair) => ({ ...pair, failures: failuresOf(pair.upstream.protocol) }))

async function fail({ client, upstream }: Pair, delivery: 'streamed' | 'whole', key = server().key): Promise<Raised> {
  const address = { url: server().url, key }
  const thrown = await client
    .converse(address, { model: upstream.model, delivery })
    .send('Hello')
    .then(
      () => new Error('It answered.'),
      (error: unknown) => error,
    )
  return client.raised(thrown)
}

let callers = 0

/** From another address than all tests before: wrong keys from one address are slowed down. */
function callAsAnother(): void {
  const address = `192.0.2.${++callers}`
  const call = globalThis.fetch
  vi.stubGlobal('fetch', (...[target, options]: Parameters<typeof fetch>) => {
    const request = new Request(target, options)
    request.headers.set('x-forwarded-for', address)
    return call(request)
  })
}

function expected({ client }: Pair, { status, typeOf, message, retryAfter, code, param }: FailureScene): object {
  const isVercel = client.name.startsWith('@ai-sdk/')
  return {
    isNative: true,
    status: status,
    message: expect.stringContaining(message) as string,
    ...(isVercel ? {} : { type: typeOf[errorsOf(client.protocol)] }),
    // The genai SDK does not keep the heads of errors.
    ...(client.name === '@google/genai' ? {} : { retryAfter: retryAfter ?? (isVercel ? undefined : null) }),
    ...(client.name === 'openai' && code !== undefined ? { code, param } : {}),
  }
}

describe.each(SCENES)('$title', ({ client, upstream, failures }) => {
  describe.each(DELIVERIES)('%s', (delivery) => {
    it.each(failures)('[err.native] raises its own class for $title', async (scene) => {
      double(upstream).play(scene.failure)
      expect(await fail({ client, upstream }, delivery)).toMatchObject(expected({ client, upstream }, scene))
      expect(double(upstream).received).toHaveLength(1)
    })

    it.each([
      ['a page of a proxy', { status: 502, raw: '<html>Bad Gateway</html>', headers: { 'content-type': 'text/html' } }],
      ['half an error', { status: 502, raw: '{"error": {"mess' }],
    ])('[err.native] describes %s', async (_title, turn) => {
      double(upstream).play(turn)
      const raised = await fail({ client, upstream }, delivery)
      expect(raised).toMatchObject({ isNative: true, status: 502 })
      expect(raised.message).not.toMatch(/html|mess"/i)
    })

    it('[auth.missing] is refused with a wrong key, before the upstream is called', async () => {
      callAsAnother()
      const raised = await fail({ client, upstream }, delivery, 'sk-wrong-canary')
      expect(raised).toMatchObject({ isNative: true, status: 401 })
      expect(raised.message).not.toContain('canary')
      expect(double(upstream).received).toEqual([])
    })
  })

  it('[err.native] gets an error for an invalid response', async () => {
    double(upstream).play({ status: 200, raw: '{"half": ' })
    const raised = await fail({ client, upstream }, 'whole')
    // The SDK reads relayed bytes itself and has its own message for them.
    const [isNative, status] = client.protocol === upstream.protocol ? [raised.isNative, raised.status] : [true, 502]
    expect(raised.message).not.toBe('It answered.')
    expect(raised).toMatchObject({ isNative, status })
  })
})

/** SDKs that retry automatically. */
const RETRYING = [
  {
    name: 'openai',
    ask: (model: string) =>
      createOpenAI(server())
        .withOptions({ maxRetries: 1 })
        .chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  },
  {
    name: '@anthropic-ai/sdk 1',
    ask: (model: string) =>
      createAnthropic(server())
        .withOptions({ maxRetries: 1 })
        .messages.create({ model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }),
  },
]

describe.each(RETRYING)('$name', ({ ask }) => {
  it.each(UPSTREAMS)(
    '[err.native] retries when $protocol is over its limit, and not after an invalid request',
    async (upstream) => {
      const limited = failuresOf(upstream.protocol).find(({ title }) => title === 'limited')!.failure
      const answer = { parts: [{ text: 'At last.' }] }
      double(upstream).play({ ...limited, headers: { 'retry-after': '0' } }, answer)
      expect(JSON.stringify(await ask(upstream.model))).toContain('At last.')
      expect(double(upstream).received).toHaveLength(2)
      const invalid = failuresOf(upstream.protocol).find(({ title }) => title === 'invalid')!.failure
      double(upstream).play(invalid, answer)
      await expect(ask(upstream.model)).rejects.toMatchObject({ status: 400 })
      expect(double(upstream).received).toHaveLength(1)
    },
  )
})
