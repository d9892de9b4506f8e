import { describe, expect, it } from 'vitest'
import { chat, messages, SECRET, serve, type Dialogue } from './endpoint.ts'
import { brokenText, scriptedUpstream } from './upstream.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const DIALOGUES = [chat, messages].map((dialogue): [string, Dialogue] => [dialogue.protocol, dialogue])

describe.each(DIALOGUES)('%s errors', (name, dialogue) => {
  const post = (url: string, init: RequestInit = {}) =>
    fetch(`${url}${dialogue.path}`, { method: 'POST', headers: dialogue.headers, ...init })

  /** Checks the status, shape and request id of an error. Returns its text. */
  async function expectError(answer: Response, status: number, type: string): Promise<string> {
    const text = await answer.text()
    expect(answer.status).toBe(status)
    expect(JSON.parse(text)).toMatchObject(dialogue.error(type))
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'))
    return text
  }

  it('refuses a missing, a wrong and a revoked key natively, without repeating it [auth.missing]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const body = dialogue.body('acme/org/m:1.5', false)
    const { authorization: _bearer, 'x-api-key': _key, ...none } = dialogue.headers
    await expectError(await post(server.url, { headers: none, body }), 401, 'authentication_error')
    const wrong = { ...none, authorization: 'Bearer sk-wrong-key' }
    const text = await expectError(await post(server.url, { headers: wrong, body }), 401, 'authentication_error')
    expect(text).not.toContain('sk-wrong')
    server.keys.revoke('tester')
    const revoked = await expectError(await post(server.url, { body }), 401, 'authentication_error')
    expect(revoked).not.toContain(SECRET)
    expect(upstream.count).toBe(0)
  })
  it('names a model that does not exist [base.unknown-model]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    for (const model of ['acme/none', 'nobody/m', 'none']) {
      const answer = await post(server.url, { body: dialogue.body(model, false) })
      expect(await expectError(answer, 404, 'not_found_error')).toContain(model)
    }
    expect((await fetch(`${server.url}${dialogue.modelsPath}/acme%2Fnone`)).status).toBe(404)
    expect(upstream.count).toBe(0)
  })
  it('answers unknown paths and wrong methods natively [err.route]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const unknown = await fetch(`${server.url}${dialogue.path}/nothing/here`, { headers: dialogue.headers })
    await expectError(unknown, 404, 'not_found_error')
    const method = await fetch(`${server.url}${dialogue.path}`, { headers: dialogue.headers })
    expect(method.headers.get('allow')).toBe('POST')
    await expectError(method, 405, 'invalid_request_error')
  })
  it('describes an invalid body, and one that is too large [err.native]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name], { limits: { body: 2000 } })
    await expectError(await post(server.url, { body: '{"model": "x", ' }), 400, 'invalid_request_error')
    await expectError(await post(server.url, { body: '' }), 400, 'invalid_request_error')
    await expectError(await post(server.url, { body: '"text"' }), 400, 'invalid_request_error')
    expect(
      await expectError(
        await post(server.url, { body: '{"model":"acme/org/m:1.5","max_tokens":9}' }),
        400,
        'invalid_request_error',
      ),
    ).toContain('messages')
    await expectError(await post(server.url, { body: ' '.repeat(3000) }), 413, 'request_too_large')
    expect(upstream.count).toBe(0)
  })
  it('names the exceeded limit of a body', async () => {
    await using upstream = await scriptedUpstream()
    const counts = { messages: 3, parts: 3, tools: 3, members: 30, membersOfOne: 9 }
    await using server = await serve(upstream, [name], { limits: { counts } })
    const plain = JSON.parse(dialogue.body('acme/org/m:1.5', false)) as { messages: object[] } // written so
    const turn = { role: 'user', content: 'Hi' }
    const parts = { role: 'user', content: times(4, { type: 'text', text: 'Hi' }) }
    const extra = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`x_${index}`, index]))
    const bodies: readonly [path: string, body: object][] = [
      ['messages: at most 3 messages', { ...plain, messages: times(4, turn) }],
      ['messages.0: at most 3 parts in all messages', { ...plain, messages: [parts] }],
      ['tools: at most 3 tools', { ...plain, tools: times(4, { name: 'f' }) }],
      ['at most 9 members in one object', { ...plain, ...extra }],
      ['at most 30 members in all objects', { ...plain, x: times(30, { y: 1 }) }],
    ]
    for (const [path, body] of bodies) {
      const answer = await post(server.url, { body: JSON.stringify(body) })
      expect(await expectError(answer, 400, 'invalid_request_error')).toContain(path)
    }
    expect(upstream.count).toBe(0)
  })
  it.each([
    [400, 400, 'invalid_request_error'],
    [401, 502, 'api_error'],
    [402, 502, 'api_error'],
    [403, 502, 'api_error'],
    [429, 429, 'rate_limit_error'],
    [500, 500, 'api_error'],
    [502, 502, 'api_error'],
    [503, 503, 'api_error'],
    [504, 504, 'timeout_error'],
    [520, 502, 'api_error'],
    [529, 529, 'overloaded_error'],
  ])('gives an upstream’s %i as %i [err.native]', async (status, expected, type) => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const reply = server.ask(dialogue, true)
    const { response } = await upstream.next()
    const refusal = {
      type: 'error',
      error: { type: 'some_error', message: 'said by the upstream', code: null, param: null },
    }
    response.writeHead(status, { ...JSON_TYPE, 'retry-after': '7', 'x-secret': '1' }).end(JSON.stringify(refusal))
    const answer = await reply
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(answer.headers.get('x-secret')).toBeNull()
    const isForCaller = ![401, 402, 403].includes(status)
    expect((await expectError(answer, expected, type)).includes('said by the upstream')).toBe(isForCaller)
  })
  it('reports an unreachable upstream, and one that disconnects, as native errors [err.native]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const hungUp = server.ask(dialogue, false)
    ;(await upstream.next()).response.destroy()
    await expectError(await hungUp, 502, 'api_error')
    await using hurried = await serve(upstream, [name], { deadlines: { head: 1000 } })
    await expectError(await hurried.ask(dialogue, false), 504, 'timeout_error')
    await upstream[Symbol.asyncDispose]()
    await expectError(await server.ask(dialogue, false), 502, 'api_error')
  })
  it('reads a JSON error with status 200 instead of a stream as an error [err.native]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const reply = server.ask(dialogue, true)
    const { response } = await upstream.next()
    response.writeHead(200, JSON_TYPE).end('{"type":"error","error":{"type":"x","message":"no stream today"}}')
    expect(await expectError(await reply, 500, 'api_error')).toContain('no stream today')
  })
  it('takes an answer of another protocol for an error of the upstream, and not for an empty answer', async () => {
    await using upstream = await scriptedUpstream()
    const others = DIALOGUES.map(([protocol]) => protocol).filter((protocol) => protocol !== name)
    await using server = await serve(upstream, others)
    const reply = server.ask(dialogue, false)
    ;(await upstream.next()).response.writeHead(200, JSON_TYPE).end(dialogue.answer)
    expect(await expectError(await reply, 502, 'api_error')).toContain('does not match its protocol')
  })
  it('logs the request id of a response [err.request-id]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const reply = server.ask(dialogue, false)
    ;(await upstream.next()).response.writeHead(200, JSON_TYPE).end(dialogue.answer)
    const answer = await reply
    const missing = await fetch(`${server.url}${dialogue.path}`)
    const logged = server.log.entries.map(({ requestId, status }) => [requestId, status])
    expect(logged).toEqual([
      [answer.headers.get('x-request-id'), 200],
      [missing.headers.get('request-id'), 405],
    ])
  })
  it('refuses new calls while closing, and ends a stream after the grace period with its own error [err.midstream]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const reply = server.ask(dialogue, true)
    const { response, gone } = await upstream.next()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(dialogue.frames[0] ?? '')
    // The body is read at once: `fetch` discards what was not read when the connection ends.
    const reading = brokenText(await reply)
    const closed = server.gateway.close(20)
    await expectError(await server.ask(dialogue, false), 503, 'api_error')
    await closed
    await gone
    expect((await reading).split('\n\n').at(-2)).toMatch(dialogue.errorFrame)
  })
  it('lists models and shows one without a key [auth.models.open]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const list = await fetch(`${server.url}${dialogue.modelsPath}`)
    expect(list.status).toBe(200)
    expect(await list.json()).toMatchObject({ data: [{ id: 'acme/org/m:1.5' }] })
    const one = await fetch(`${server.url}${dialogue.modelsPath}/acme%2Forg%2Fm%3A1.5`)
    expect(await one.json()).toMatchObject({ id: 'acme/org/m:1.5' })
  })
  it('answers preflights and lets pages of allowed origins read responses and errors [err.cors]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name], { cors: { origins: ['https://app.example'] } })
    const origin = { origin: 'https://app.example' }
    const preflight = await fetch(`${server.url}${dialogue.path}`, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-key')
    const error = await post(server.url, { headers: { ...dialogue.headers, ...origin }, body: '{' })
    expect(error.headers.get('access-control-allow-origin')).toBe('https://app.example')
    const foreign = await fetch(`${server.url}${dialogue.modelsPath}`, { headers: { origin: 'https://evil.example' } })
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
  })
})

function times(length: number, item: object): object[] {
  return Array.from({ length }, () => item)
}
