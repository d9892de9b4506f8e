import { describe, expect, it } from 'vitest'
import { DragomanError } from '../ir/error.ts'
import { BEARER, type Auth } from './definition.ts'
import { defineProvider, type Provider } from './provider.ts'
import { createRedact, redactError, secretsOf } from './credentials.ts'

const AUTH: Auth = { ...BEARER, sign: 'jwt' }
const START = 1_700_000_000_000
const OUTBOUND = { headers: {}, body: '{}', deadlines: { connect: 1, head: 1, idle: 1, total: 1 } }

function create(keys: string | readonly string[], now = () => START): Provider {
  const models = [{ name: 'brush', input: ['text'], output: ['image'] }] as const
  const baseURL = 'https://api.acme.example/v1'
  return defineProvider({ name: 'acme', baseURL, endpoints: { own: '.' }, auth: AUTH, models }, { keys, now })
}

function sentBy(provider: Provider): string {
  const { headers } = provider.call('own', { path: '/draw', headers: {} }, OUTBOUND)
  return headers['authorization']?.replace(/^Bearer /, '') ?? ''
}

function partsOf(token: string): unknown[] {
  return token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown)
}

/** With the Web Crypto API, which has its own HMAC. */
async function isSignedWith(secret: string, token: string): Promise<boolean> {
  const [head, claims, signature = ''] = token.split('.')
  const usage = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', Buffer.from(secret), usage, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, Buffer.from(signature, 'base64url'), Buffer.from(`${head}.${claims}`))
}

describe('a provider whose key signs tokens', () => {
  it.each(['secret-of-acme', 'with:colon', 'x'.repeat(100)])('sends a token of half an hour (%s)', async (secret) => {
    const token = sentBy(create(`access-1:${secret}`))
    expect(partsOf(token)).toEqual([
      { alg: 'HS256', typ: 'JWT' },
      { iss: 'access-1', exp: START / 1000 + 1800, nbf: START / 1000 - 5 },
    ])
    expect(await isSignedWith(secret, token)).toBe(true)
    expect(await isSignedWith(`${secret}.`, token)).toBe(false)
  })

  it('uses a token until shortly before it expires, one for each key', () => {
    let time = START
    const provider = create(['access-1:secret-of-acme', 'access-2:other-secret'], () => time)
    const [first, second] = [sentBy(provider), sentBy(provider)]
    expect(partsOf(second)[1]).toMatchObject({ iss: 'access-2' })
    time += 1_499_000
    expect([sentBy(provider), sentBy(provider)]).toEqual([first, second])
    time += 2000
    expect(partsOf(sentBy(provider))[1]).toMatchObject({ iss: 'access-1', exp: Math.floor(time / 1000) + 1800 })
  })

  it('signs again if the clock was set back: the token would not be valid yet', () => {
    let time = START
    const provider = create('access-1:secret-of-acme', () => time)
    sentBy(provider)
    time -= 3_600_000
    expect(partsOf(sentBy(provider))[1]).toMatchObject({ nbf: time / 1000 - 5 })
  })

  it('sends a key without a colon as it is', () => {
    expect(sentBy(create('sk-plain-key'))).toBe('sk-plain-key')
  })

  it('signs for addresses of its own origin only', () => {
    const provider = create('access-1:secret-of-acme')
    const { body: _, ...bodiless } = OUTBOUND
    expect(provider.visit?.('https://api.acme.example/tasks/1', bodiless).headers).toHaveProperty('authorization')
    expect(provider.visit?.('https://elsewhere.example/tasks/1', bodiless).headers).toEqual({})
  })

  it.each([':secret-of-acme', 'access-1:'])('refuses a key with an empty half, without naming it', (key) => {
    expect(() => create(key)).toThrow('Provider option "keys" must have the form "<access key>:<secret key>".')
  })

  it('removes keys, their halves and all tokens from the texts of the upstream', () => {
    const provider = create('access-key-1:secret-of-acme')
    const token = sentBy(provider)
    const text = `no: access-key-1:secret-of-acme, secret-of-acme, access-key-1, Bearer ${token}.`
    expect(provider.redact?.(text)).toBe('no: [secret], [secret], [secret], Bearer [secret].')
  })

  it('knows no other way of signing', () => {
    const auth = { ...BEARER, sign: 'sigv4' } as unknown as Auth // from a program without types
    const definition = { name: 'acme', baseURL: 'https://a.example', endpoints: { own: '.' }, auth, models: [] }
    expect(() => defineProvider(definition)).toThrow('Provider definition "auth.sign" must be "jwt".')
  })
})

const KEY = 'sk-first-0123456789'

describe('the redaction of a text', () => {
  it('removes every copy of every secret', () => {
    const redact = createRedact([KEY, 'second-secret'])
    expect(redact(`${KEY} and ${KEY}, second-secret, ${KEY}`)).toBe('[secret] and [secret], [secret], [secret]')
  })

  it('removes a longer secret whole if it begins with a shorter one', () => {
    expect(createRedact([KEY, `${KEY}-long`])(`x ${KEY}-long y`)).toBe('x [secret] y')
  })

  it('removes what has the form of secrets that are made for each call', () => {
    expect(createRedact([], /tok_\w+/g)('tok_a, tok_b')).toBe('[secret], [secret]')
  })
})

it('headers count with and without their scheme, and short values do not count', () => {
  expect(secretsOf([KEY], { authorization: 'Bearer abcdefgh', 'x-team': 'blue' })).toEqual([
    KEY,
    'Bearer abcdefgh',
    'abcdefgh',
  ])
})

it('an error is redacted in every member, also in its cause', () => {
  const cause = new Error(`cause ${KEY}`)
  const given = new DragomanError('upstream', `message ${KEY}`, { param: KEY, code: KEY, details: { a: KEY }, cause })
  const { message, param, code, details, cause: clean } = redactError(given, createRedact([KEY]))
  expect(JSON.stringify({ message, param, code, details, cause: String(clean) })).not.toContain(KEY)
})
