import { BEARER, defineProvider, type Auth, type Provider } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { CHAT, explaining } from './explaining.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'

const BODY = { model: 'up/m', messages: [{ role: 'user', content: 'Hi' }] }
const CANARY = 'sk-canary-4711'

const define = (auth: Auth, options: object = {}): Provider =>
  defineProvider(
    { name: 'up', models: [card('m')], endpoints: { chat: 'https://up.test/v1' }, auth },
    { keys: CANARY, ...options },
  )
/** A provider of somebody else, who redacts nothing. */
const foreign = (change: (call: ReturnType<Provider['call']>) => Partial<ReturnType<Provider['call']>>): Provider => {
  const plain = fakeProvider('up', ['chat'])
  return {
    ...plain,
    call(...given) {
      const call = plain.call(...given)
      return { ...call, ...change(call) }
    },
  }
}

describe('the secrets of providers', () => {
  it.each<[string, Provider]>([
    ['a bearer token', define(BEARER)],
    ['x-api-key', define({ header: 'x-api-key' })],
    ['x-goog-api-key', define({ header: 'x-goog-api-key' })],
    ['a header of its own', define({ header: 'x-house-credential', prefix: 'House ' })],
    ['a further header', define(BEARER, { keys: 'sk-other-key', headers: { 'x-gate': CANARY } })],
    [
      'a short one in a further header',
      define(BEARER, { keys: 'sk-other-key', headers: { 'x-pin': CANARY.slice(-4) } }),
    ],
    ['a header in place of one that the gateway sets', define(BEARER, { headers: { 'user-agent': CANARY } })],
    ['a header of somebody else', foreign(({ headers }) => ({ headers: { ...headers, 'X-Some-Key': CANARY } }))],
    ['the query', foreign(({ url }) => ({ url: `${url}?key=${CANARY}&alt=sse` }))],
    ['a value of the query without a name', foreign(({ url }) => ({ url: `${url}?a=b&=${CANARY}` }))],
    ['the query, with padding', foreign(({ url }) => ({ url: `${url}?key=${CANARY}==` }))],
    ['a query without names', foreign(({ url }) => ({ url: `${url}?${CANARY}` }))],
    ['the fragment', foreign(({ url }) => ({ url: `${url}#${CANARY}` }))],
    ['a password', foreign(({ url }) => ({ url: url.replace('//', `//user:${CANARY}@`) }))],
    ['a password with an at sign', foreign(({ url }) => ({ url: url.replace('//', `//user:a@${CANARY}@`) }))],
    [
      'the path, if the provider knows it',
      { ...foreign(({ url }) => ({ url: `${url}/${CANARY}` })), redact: (text) => text.replaceAll(CANARY, '[secret]') },
    ],
    [
      'the body, if the provider knows it',
      {
        ...foreign(() => ({ body: `{"auth":"${CANARY}"}` })),
        redact: (text) => text.replaceAll(CANARY, '[secret]'),
      },
    ],
  ])('are not in an explanation: %s', async (_where, provider) => {
    const { explainReply, log, ledger } = explaining({ providers: [provider] })
    const reply = await explainReply(BODY, CHAT)
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('https://')
    for (const secret of [CANARY, '4711', 'sk-other-key'])
      expect(JSON.stringify([reply.text, reply.headers, log.entries, ledger.records])).not.toContain(secret)
  })

  it('are masked; everything else is shown', async () => {
    const { explain } = explaining({ providers: [define(BEARER)] })
    expect((await explain(BODY)).routes[0]?.request).toMatchObject({
      method: 'POST',
      url: 'https://up.test/v1/chat/completions',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'dragoman',
        'content-type': 'application/json',
        authorization: '[masked]',
      },
    })
  })

  it('stay unknown to a caller who guesses them in a prompt', async () => {
    const { explain } = explaining({ providers: [define(BEARER)] })
    const { routes } = await explain({ ...BODY, messages: [{ role: 'user', content: `Is it ${CANARY}?` }] })
    expect(routes[0]?.request?.body).toContain(`Is it ${CANARY}?`)
  })

  it('the keys do not rotate', async () => {
    const provider = define(BEARER, { keys: ['key-one-1234', 'key-two-1234'] })
    const { explain, call, transport } = explaining({ providers: [provider] })
    for (let again = 0; again < 3; again++) await explain(BODY)
    await call(BODY)
    expect(transport.last.call.headers['authorization']).toBe('Bearer key-one-1234')
    await explain(BODY)
    await call(BODY)
    expect(transport.last.call.headers['authorization']).toBe('Bearer key-two-1234')
  })
})
