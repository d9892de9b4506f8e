import { describe, expect, it } from 'vitest'
import { DragomanError } from '@dragoman/core'
import { createMemoryKeys, type Keys, type StageCall } from '../src/index.ts'
import { card, parse } from './fake-protocol.ts'
import { fakeProvider, head, keptReply } from './scripted.ts'
import { bytesOf, get, KEY, setUp } from './set-up.ts'

const wrongKey = () => new DragomanError('authentication', 'The key was mistyped.')
const refuse = (): never => {
  throw wrongKey()
}
const UNSUPPORTED = '{"model":"acme/m","old_field":1}'

describe('before the body', () => {
  it('answers an unknown path under a base in the shape of that base', async () => {
    const reply = await get({}, 'GET', '/red/blue/none')
    expect(reply.status).toBe(404)
    expect(parse(reply.text)).toMatchObject({ blue: { kind: 'not-found' } })
  })
  it('answers a path under no base in the shape of the first protocol', async () => {
    expect(parse((await get({}, 'GET', '/reddish/gen')).text)).toMatchObject({ red: { kind: 'not-found' } })
  })
  it('names the methods of a path', async () => {
    const reply = await get({}, 'GET', '/red/gen')
    expect(reply.status).toBe(405)
    expect(reply.headers['allow']).toBe('POST')
  })
  it('ignores an extra slash, and answers HEAD for a list', async () => {
    expect((await get({}, 'GET', '/red/models/')).status).toBe(200)
    expect((await get({}, 'HEAD', '/red/models')).status).toBe(200)
    expect((await get({}, 'HEAD', '/red/gen')).headers['allow']).toBe('POST')
    expect((await get({}, 'DELETE', '/red/models')).headers['allow']).toBe('GET, HEAD')
    expect((await get({}, 'OPTIONS', '/red/gen')).status).toBe(405)
  })
  it('does not request the body without a key, or with a wrong one', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
      const reply = keptReply()
      expect(await setUp().gateway.open(head('POST', '/red/gen', headers), reply)).toBeUndefined()
      expect(reply.status).toBe(401)
      expect(reply.text).not.toContain('wrong')
    }
  })
  it.each([
    ['x-api-key', { 'x-api-key': 'secret' }, ''],
    ['x-goog-api-key', { 'x-goog-api-key': 'secret' }, ''],
    ['?key=', {}, '?key=secret'],
    ['a right key beside a placeholder', { authorization: 'Bearer dummy', 'x-api-key': 'secret' }, ''],
  ])('admits by %s', async (_name, headers, query) => {
    const fields = { 'content-type': 'application/json', ...headers }
    expect(await setUp().gateway.open(head('POST', `/red/gen${query}`, fields), keptReply())).toBeDefined()
  })
  it('refuses a key that was revoked, also one that was in use', async () => {
    const keys = createMemoryKeys([{ id: 'tester', secret: 'secret' }])
    const { gateway } = setUp({ keys })
    expect(await gateway.open(head('POST', '/red/gen', KEY), keptReply())).toBeDefined()
    keys.revoke('tester')
    const reply = keptReply()
    expect(await gateway.open(head('POST', '/red/gen', KEY), reply)).toBeUndefined()
    expect(reply.status).toBe(401)
  })
  it('admits a caller that is known without a promise, and one that is looked up or waits for a stage with one', async () => {
    const stages = [
      { afterAdmission: (call: StageCall) => (call.header('x-slow') === undefined ? undefined : Promise.resolve()) },
    ]
    const { gateway } = setUp({ stages })
    const open = (headers = {}) => gateway.open(head('POST', '/red/gen', { ...KEY, ...headers }), keptReply())
    const first = open()
    expect(first).toBeInstanceOf(Promise)
    expect(await first).toMatchObject({ takes: 'json' })
    expect(open()).toMatchObject({ takes: 'json' })
    expect(open({ 'x-slow': '1' })).toBeInstanceOf(Promise)
  })
  it.each([
    ['throws', () => expect.fail('not of the key')],
    ['rejects', () => Promise.reject(new Error('not of the key'))],
  ])('answers with an error if the store of keys %s', async (_how, find) => {
    const reply = keptReply()
    expect(await setUp({ keys: { find } }).gateway.open(head('POST', '/red/gen', KEY), reply)).toBeUndefined()
    expect(reply.status).toBe(500)
  })
  it.each([
    ['throws', () => refuse()],
    ['rejects', () => Promise.reject(wrongKey())],
  ])('counts a key as a guess if the store %s that it is wrong', async (_how, find) => {
    const guesses: number[] = []
    const keys: Keys = { find, onWrong: (_address, secrets) => void guesses.push(secrets) }
    const reply = keptReply()
    await setUp({ keys }).gateway.open(head('POST', '/red/gen', KEY), reply)
    expect(reply.status).toBe(401)
    expect(guesses).toEqual([1])
  })
  it('lists models, and returns one, without a key', async () => {
    expect(parse((await get({}, 'GET', '/red/models')).text)).toEqual({ list: ['acme/m'] })
    expect(parse((await get({}, 'GET', '/red/models/acme%2Fm')).text)).toEqual({ one: 'acme/m' })
    expect((await get({}, 'GET', '/red/models/none')).status).toBe(404)
    expect((await get({}, 'GET', '/red/models/%ff')).status).toBe(400)
  })
  describe('model lists', () => {
    const keys = createMemoryKeys([
      { id: 'all', secret: 'secret' },
      { id: 'some', secret: 'small', models: ['acme/a*'] },
    ])
    const providers = [fakeProvider('acme', ['red'], [card('a1'), card('a2'), card('b')])]
    const options = { keys, providers, aliases: { quick: 'acme/a1', slow: 'acme/b' } }
    const statusOf = async (path: string, headers = {}, more = {}) =>
      (await get({ ...options, ...more }, 'GET', path, headers)).status
    const listed = async (headers: object) => parse((await get(options, 'GET', '/red/models', headers)).text)
    const small = { 'x-api-key': 'small' }

    it('have what the key may use, with aliases; everything without a valid key', async () => {
      const all = { list: ['acme/a1', 'acme/a2', 'acme/b', 'quick', 'slow'] }
      for (const headers of [{}, KEY, { 'x-api-key': 'wrong' }]) expect(await listed(headers)).toEqual(all)
      expect(await listed(small)).toEqual({ list: ['acme/a1', 'acme/a2', 'quick'] })
      expect(await statusOf('/red/models/quick', small)).toBe(200)
      expect(await statusOf('/red/models/slow', small)).toBe(403)
    })

    it('need a key if they are private', async () => {
      const more = { modelLists: 'private' }
      for (const path of ['/red/models', '/red/models/acme%2Fb']) {
        expect(await statusOf(path, {}, more)).toBe(401)
        expect(await statusOf(path, { 'x-api-key': 'wrong' }, more)).toBe(401)
        expect(await statusOf(path, KEY, more)).toBe(200)
      }
      expect(await statusOf('/red', {}, more)).toBe(200)
    })

    it('count among the calls of their key', async () => {
      const more = { limits: { perKey: 0 } }
      expect(await statusOf('/red/models', small, more)).toBe(429)
      expect(await statusOf('/red/models', {}, more)).toBe(429)
      expect(await statusOf('/red/models', {}, { limits: { concurrency: 0 } })).toBe(503)
    })
  })
  it('answers preflights of allowed origins and lets their pages read responses', async () => {
    const cors = { origins: ['https://app.test'] }
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-stainless-os' }
    const preflight = await get({ cors }, 'OPTIONS', '/red/gen', { origin: 'https://app.test', ...asked })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.test',
      'access-control-allow-headers': 'x-stainless-os',
    })
    const error = await get({ cors }, 'POST', '/red/gen', { origin: 'https://app.test' })
    expect(error.headers['access-control-allow-origin']).toBe('https://app.test')
    const other = await get({ cors }, 'OPTIONS', '/red/gen', { origin: 'https://evil.test', ...asked })
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('the body', () => {
  it.each([
    ['nothing', '', 'empty'],
    ['broken JSON', '{"model": nope}', 'Unexpected token'],
    ['a list', '[]', 'must be an object'],
    ['no model', '{}', 'model: must be a string'],
  ])('is refused when it is %s', async (_name, body, message) => {
    const { send, transport } = setUp()
    const reply = await send(body)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(message)
    expect(reply.text).not.toContain('nope')
    expect(transport.calls).toHaveLength(0)
  })
  it('is refused when it is not UTF-8', async () => {
    const reply = keptReply()
    const pending = await setUp().gateway.open(head('POST', '/red/gen', KEY), reply)
    pending?.proceed(Uint8Array.of(0x22, 0xff, 0x22))
    expect(reply.text).toContain('UTF-8')
  })
  it('is refused with its own status if it is too large', async () => {
    const reply = keptReply()
    const pending = await setUp({ limits: { body: 10 } }).gateway.open(head('POST', '/red/gen', KEY), reply)
    expect(pending?.limit).toBe(10)
    pending?.refuse('too-large')
    expect(reply.status).toBe(413)
  })
  it('may have unsupported members, which are forwarded unchanged', async () => {
    const { send, transport } = setUp()
    await send(UNSUPPORTED)
    expect(new TextDecoder().decode(bytesOf(transport.last.call.body))).toBe('{"model":"m-1","old_field":1}')
  })
  it.each([
    [undefined, 'the option unsupportedFields of createGateway'],
    ['DRAGOMAN_FIELDS', 'DRAGOMAN_FIELDS'],
  ])('may not have them if the operator refuses them, and the error names the setting', async (setting, words) => {
    const { send, transport } = setUp({ unsupportedFields: 'refuse', unsupportedFieldsAt: setting })
    const refused = await send(UNSUPPORTED)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('use new_field')
    expect(refused.text).toContain(`"accept" takes them: ${words}.`.replaceAll('"', '\\"'))
    expect(transport.calls).toEqual([])
  })
})
