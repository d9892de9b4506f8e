import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dialogues, type Dialogue, type Wire } from './dialogue.ts'

/** A gateway that runs somewhere and can be called over HTTP. */
export interface RunningGateway {
  readonly url: string
  readonly key: string
  stop(): Promise<void>
}

/** The one browser origin that the gateway under test must allow. */
export const ALLOWED_ORIGIN = 'https://app.example'

/** What every runtime must do alike. The gateway must offer the simulated models and allow `ALLOWED_ORIGIN`. */
export function describeGateway(name: string, start: () => Promise<RunningGateway>): void {
  describe(name, () => {
    let gateway: RunningGateway
    beforeAll(async () => {
      gateway = await start()
    }, 60_000)
    afterAll(() => gateway.stop())

    const send = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${gateway.url}${path}`, init)
    const post = (dialogue: Dialogue, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
      send(dialogue.path, {
        method: 'POST',
        headers: { ...dialogue.headers(gateway.key), ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })

    describe.each(dialogues)('$protocol', (dialogue) => {
      describeAnswers(dialogue, (body) => post(dialogue, body))
      describeErrors(dialogue, send, (body, headers) => post(dialogue, body, headers))
    })
    describeModels(send)
    describeOwnRules(dialogues, post)
  })
}

type Send = (path: string, init?: RequestInit) => Promise<Response>
type Post = (body: unknown, headers?: Record<string, string>) => Promise<Response>

function describeAnswers(dialogue: Dialogue, post: Post): void {
  const { protocol, ask, tool } = dialogue
  describe.each(dialogues.map((upstream) => `sim/${upstream.protocol}-1`))('to %s', (model) => {
    const way = model === `sim/${protocol}-1` ? 'relay' : 'translate'

    it('[base.chat] [base.messages] [chat.create] [msg.create] [err.request-id] answers whole', async () => {
      const answer = await post(ask(model, 'Why is the sky blue?'))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('x-dragoman-path')).toBe(way)
      expect(answer.headers.get('x-dragoman-model')).toBe(model)
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'))
      const body = (await answer.json()) as Wire
      dialogue.acceptWhole(body)
      expect(dialogue.text(body)).toContain('Why is the sky blue?')
    })

    it('[chat.stream] [msg.stream.order:in] streams the same words in its own form', async () => {
      const whole = (await (await post(ask(model, 'Why is the sky blue?'))).json()) as Wire
      const answer = await post({ ...ask(model, 'Why is the sky blue?'), stream: true })
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(answer.headers.get('x-dragoman-path')).toBe(way)
      const stream = await answer.text()
      dialogue.acceptStream(stream)
      expect(dialogue.streamedText(stream)).toBe(dialogue.text(whole))
    })

    it('calls tools', async () => {
      const asked = { ...ask(model, 'What is the weather in Paris?'), tools: [tool] }
      const body = (await (await post(asked)).json()) as Wire
      dialogue.acceptWhole(body)
      expect(dialogue.calls(body)).toEqual([{ name: 'get_weather', input: { city: 'Paris' } }])
      const stream = await (await post({ ...asked, stream: true })).text()
      dialogue.acceptStream(stream)
      expect(stream).toContain('get_weather')
    })

    it('[err.midstream] says so when the model breaks off in the middle', async () => {
      const stream = await (await post({ ...ask(model, '[[cut]] Why?'), stream: true })).text()
      expect(() => dialogue.acceptStream(stream)).toThrow(Error)
      const last = stream.trimEnd().split('\n').at(-1) ?? ''
      expect(dialogue.error({ request_id: '', ...(JSON.parse(last.replace(/^data: /, '')) as Wire) }).message).not.toBe(
        '',
      )
    })

    it('hands on the error of the model', async () => {
      const answer = await post(ask(model, '[[error 429]]'))
      expect(answer.status).toBe(429)
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(dialogue.error((await answer.json()) as Wire).type).toBe(dialogue.errorTypes[429])
    })
  })
}

function describeErrors(dialogue: Dialogue, send: Send, post: Post): void {
  const { path, models, ask, protocol } = dialogue
  const good = ask(`sim/${protocol}-1`, 'hi')
  const expectError = async (answer: Response, status: number): Promise<string> => {
    expect(answer.status).toBe(status)
    const { type, message } = dialogue.error((await answer.json()) as Wire)
    expect(type).toBe(dialogue.errorTypes[status])
    return message
  }

  it('[auth.missing] refuses a missing and a wrong key, and echoes nothing of it', async () => {
    const { authorization, 'x-api-key': own, ...open } = dialogue.headers('sk-wrong-canary')
    const wrong = { ...open, ...(own === undefined ? { authorization: authorization ?? '' } : { 'x-api-key': own }) }
    const body = JSON.stringify(good)
    await expectError(await send(path, { method: 'POST', headers: open, body }), 401)
    expect(await expectError(await send(path, { method: 'POST', headers: wrong, body }), 401)).not.toContain('canary')
  })

  it('[base.unknown-model] [err.route] refuses unknown models, paths and methods', async () => {
    expect(await expectError(await post({ ...good, model: 'sim/nobody' }), 404)).toContain('sim/nobody')
    await expectError(await send(`${path}/nowhere`), 404)
    const wrong = await send(path)
    expect(wrong.headers.get('allow')).toBe('POST')
    await expectError(wrong, 405)
  })

  it('[err.native] refuses bodies that make no sense', async () => {
    await expectError(await post('{"model":'), 400)
    await expectError(await post(''), 400)
    await expectError(await post('[]'), 400)
    expect(await expectError(await post({ ...good, messages: 'hello' }), 400)).toContain('messages')
  })

  it('[err.cors] answers browsers of the allowed origin, and no others', async () => {
    const preflight = (origin: string): Promise<Response> =>
      send(path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-api-key, content-type',
        },
      })
    const allowed = await preflight(ALLOWED_ORIGIN)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN)
    expect(allowed.headers.get('access-control-allow-methods')).toContain('POST')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('x-api-key')
    expect((await preflight('https://evil.example')).headers.has('access-control-allow-origin')).toBe(false)
    const answer = await post(good, { origin: ALLOWED_ORIGIN })
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN)
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id')
    const listed = await send(models, { headers: { origin: ALLOWED_ORIGIN } })
    expect(listed.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN)
  })
}

const LISTED = {
  id: 'sim/messages-1',
  display_name: 'Simulated messages 1',
  input_modalities: ['text', 'image', 'file'],
  output_modalities: ['text'],
  capabilities: { reasoning: true },
  context_length: 128_000,
  pricings: { prompt: [{ value: 0, unit: 'perMTokens', currency: 'USD' }] },
}

function describeModels(send: Send): void {
  const get = async (path: string): Promise<unknown> => (await send(path)).json()

  it('[auth.models.open] [models.chat] lists models for chat without a key', async () => {
    const entry = { ...LISTED, object: 'model', owned_by: 'dragoman', created: expect.any(Number) as number }
    expect(await get('/api/v1/models')).toMatchObject({
      object: 'list',
      data: expect.arrayContaining([expect.objectContaining({ id: 'sim/chat-1' })]) as unknown,
    })
    expect(await get('/api/v1/models/sim%2Fmessages-1')).toMatchObject(entry)
    expect((await send('/api/v1/models/sim%2Fnobody')).status).toBe(404)
  })

  it('[auth.models.open] [models.messages] lists and pages models for messages without a key', async () => {
    const entry = { ...LISTED, type: 'model', created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string }
    expect(await get('/api/anthropic/v1/models?limit=1')).toMatchObject({
      data: [{ id: 'sim/chat-1' }],
      has_more: true,
      last_id: 'sim/chat-1',
    })
    expect(await get('/api/anthropic/v1/models?limit=1&after_id=sim/chat-1')).toMatchObject({
      data: [entry],
      first_id: 'sim/messages-1',
    })
    expect(await get('/api/anthropic/v1/models/sim%2Fmessages-1')).toMatchObject(entry)
  })
}

/** Rules that one protocol has alone. */
function describeOwnRules(
  [chat, messages]: readonly Dialogue[],
  post: (dialogue: Dialogue, body: unknown, headers?: Record<string, string>) => Promise<Response>,
): void {
  if (chat === undefined || messages === undefined) return
  const REFUSED =
    'audio modalities functions function_call prompt_cache_key prompt_cache_retention safety_identifier store service_tier prediction seed user max_tokens'
  const usageOf = async (options: Wire): Promise<number> => {
    const stream = await (await post(chat, { ...chat.ask('sim/chat-1', 'hi'), stream: true, ...options })).text()
    return stream.split('"completion_tokens":').length - 1
  }

  it.each(REFUSED.split(' '))('[chat.unsupported] chat refuses %s by name', async (field) => {
    const answer = await post(chat, { ...chat.ask('sim/chat-1', 'hi'), [field]: 1 })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain(field)
  })

  it('[chat.stream_options:in] chat streams usage once, and only when asked', async () => {
    expect(await usageOf({})).toBe(0)
    expect(await usageOf({ stream_options: { include_usage: true } })).toBe(1)
  })

  it('[auth.messages.version] [auth.messages.content-type] messages wants a version and JSON', async () => {
    const asked = messages.ask('sim/messages-1', 'hi')
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await post(messages, asked, headers)).status
    expect(await statusOf({ 'anthropic-version': '2026-10-21' })).toBe(200)
    expect(await statusOf({ 'partner-version': '2023-06-01' })).toBe(200)
    expect(await statusOf({ 'partner-version': '2026-10-21' })).toBe(400)
    expect(await statusOf({ 'anthropic-version': '2020-01-01' })).toBe(400)
    expect(await statusOf({ 'content-type': 'text/plain' })).toBe(415)
  })

  it('[msg.thread] messages refuses threads with the code that makes its SDK send everything', async () => {
    const answer = await post(messages, { ...messages.ask('sim/messages-1', 'hi'), thread: { type: 'create' } })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { details: { error_code: 'thread_unsupported_request' } } })
  })
}
