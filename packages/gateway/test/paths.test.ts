import type { Protocol } from '@dragoman/core'
import { chat, protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { createFetchHandler } from '../src/index.ts'
import { fakeProtocol, parse } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { bytesOf, get, KEY, setUp } from './set-up.ts'

/** Chat under another name, at its own path beside chat's, and with the same list of models. */
const talk: Protocol = {
  ...chat,
  name: 'talk',
  http: {
    ...chat.http,
    match(method, path, query) {
      if (path === '/talk') return method === 'POST' ? { operation: 'generate' } : 'method'
      return path.startsWith('/models') ? chat.http.match(method, path, query) : undefined
    },
    target: () => ({ path: '/talk', headers: {} }),
  },
  error: {
    ...chat.error,
    encode: (error, requestId) => ({ ...chat.error.encode(error, requestId), body: { talk: error.message } }),
  },
}

function serve() {
  const world = setUp({
    protocols: [...protocols, talk],
    providers: [fakeProvider('acme', ['chat', 'talk'])],
  })
  const handle = createFetchHandler(world.gateway)
  const call = (method: string, path: string, body?: object): Promise<Response> =>
    handle(new Request(`http://gateway${path}`, body === undefined ? { method, headers: KEY } : init(method, body)))
  return { ...world, call }
}

function init(method: string, body: object): RequestInit {
  return { method, headers: KEY, body: JSON.stringify(body) }
}

describe('two protocols under one base', () => {
  const body = { model: 'acme/m', messages: [{ role: 'user', content: 'Hi' }] }

  it.each([
    ['/api/v1/talk', 'talk', 'https://acme.test/talk/talk'],
    ['/api/v1/chat/completions', 'chat', 'https://acme.test/chat/chat/completions'],
  ])('are told apart by the path: %s', async (path, protocol, url) => {
    const { call, transport, log } = serve()
    const answering = call('POST', path, body)
    await expect.poll(() => transport.calls).toHaveLength(1)
    expect(transport.last.call.url).toBe(url)
    expect(parse(new TextDecoder().decode(bytesOf(transport.last.call.body)))).toMatchObject({ model: 'm' })
    transport.last.fail('reset')
    expect((await answering).status).toBe(502)
    expect(log.entries).toMatchObject([{ protocol, mode: 'relay' }])
  })

  it('leave a path that both know to the first in the list', async () => {
    const { call, log } = serve()
    expect((await call('GET', '/api/v1/models')).status).toBe(200)
    expect(log.entries).toMatchObject([{ protocol: 'chat' }])
  })

  it('have an unknown path refused by the first, which names the bases there are', async () => {
    const { call } = serve()
    const answer = await call('POST', '/api/v1/moderations', body)
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      {
        error: {
          message:
            'No endpoint at /api/v1/moderations. Bases: /api/v1, /api/anthropic, /api/vertex-ai; at the root: /v1, /v1alpha, /v1beta, /v1beta1, /v2/rerank.',
        },
      },
    ])
  })

  it('have a wrong method refused by the one that knows the path', async () => {
    const { call } = serve()
    const answer = await call('GET', '/api/v1/talk')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await answer.json()).toEqual({ talk: 'This path takes POST only.' })
  })
})

describe('a base inside another', () => {
  const inner = fakeProtocol('inner', '/red/blue')
  const outer: Protocol = {
    ...fakeProtocol('outer', '/red'),
    http: {
      ...inner.http,
      base: '/red',
      match: (method, path) =>
        path === '/blue/own' || path === '/blue/models'
          ? method === 'GET'
            ? { operation: 'models' }
            : 'method'
          : undefined,
    },
  }
  const options = { protocols: [outer, inner], providers: [fakeProvider('acme', ['inner'])] }

  it('is the more specific one, wherever it stands in the list', async () => {
    const world = setUp(options)
    const handle = createFetchHandler(world.gateway)
    await handle(new Request('http://gateway/red/blue/models'))
    await handle(new Request('http://gateway/red/blue/own'))
    expect(world.log.entries.map(({ protocol }) => protocol)).toEqual(['inner', 'outer'])
  })

  it('speaks where neither knows the path, and its 404 names both', async () => {
    const reply = await get(options, 'GET', '/red/blue/none')
    expect(reply.status).toBe(404)
    expect(parse(reply.text)).toMatchObject({
      inner: { message: 'No endpoint at /red/blue/none. Bases: /red, /red/blue.' },
    })
  })
})

describe('a base', () => {
  const world = { protocols: [...protocols, talk], providers: [fakeProvider('acme', ['chat'])] }

  it.each([
    ['/api/v1', ['chat', 'responses', 'talk']],
    ['/v1', ['chat', 'responses', 'talk']],
    ['/v1beta', ['genai']],
    ['/api/hello', ['messages']],
    ['/api/anthropic', ['messages']],
    ['/api/anthropic/v1', ['messages']],
    ['/api/vertex-ai', ['genai']],
    ['/api/vertex-ai/v1', ['genai']],
    ['/api/vertex-ai/v1beta', ['genai']],
  ])('says what it is, without a key: %s', async (path, names) => {
    for (const method of ['GET', 'HEAD'])
      for (const target of [path, `${path}/`, `${path}?beta=true`]) {
        const reply = await get(world, method, target)
        expect(reply.status).toBe(200)
        expect(parse(reply.text)).toMatchObject({ name: 'dragoman', protocols: names })
      }
  })

  it('takes no other methods, and is not every path', async () => {
    const posted = await get(world, 'POST', '/api/anthropic')
    expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD'])
    for (const path of [
      '/api/v1/v1',
      '/v1/v1',
      '/v1beta2',
      '/models',
      '/messages',
      '/api/anthropic/v1/nothing',
      '/api',
    ])
      expect((await get(world, 'GET', path)).status).toBe(404)
  })
})
