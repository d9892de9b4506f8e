import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeBodies } from './describe-bodies.ts'
import { describeModels } from './describe-models.ts'
import { describeOwnRules } from './describe-own-rules.ts'
import { describeResponses } from './describe-responses.ts'
import { describeRoots } from './describe-roots.ts'
import { describeUpgrade } from './describe-upgrade.ts'
import type { Ask, AskOptions, Send } from './ask.ts'
import { brokenText } from './broken-text.ts'
import { dialogues, type Dialogue, type Wire } from './dialogue.ts'

/** A running gateway with an HTTP address. */
export interface RunningGateway {
  readonly url: string
  readonly key: string
  stop(): Promise<void>
}

/** The only browser origin that the gateway under test must allow. */
export const ALLOWED_ORIGIN = 'https://app.example'

/** Tests that every runtime must pass. The gateway must offer the simulated models and allow `ALLOWED_ORIGIN`. */
export function describeGateway(name: string, start: () => Promise<RunningGateway>): void {
  describe(name, () => {
    let gateway: RunningGateway
    beforeAll(async () => {
      gateway = await start()
    }, 120_000)
    afterAll(() => gateway.stop())

    const send = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${gateway.url}${path}`, init)
    const ask: Ask = (dialogue, model, text, { delivery = 'whole', members = {}, headers = {}, body, path } = {}) =>
      send(path ?? dialogue.path(model, delivery), {
        method: 'POST',
        headers: { ...dialogue.headers(gateway.key), ...headers },
        body: body ?? JSON.stringify({ ...dialogue.ask(model, text, delivery), ...members }),
      })

    describe.each(dialogues)('$protocol', (dialogue) => {
      describeAnswers(dialogue, ask)
      describeErrors(dialogue, send, ask)
      describeBodies(dialogue, send, () => gateway.key)
    })
    describeModels(send)
    describeOwnRules(ask, () => gateway.key)
    describeResponses(send, ask, () => gateway.key)
    describeRoots(send, ask)
    describeUpgrade(() => gateway)
  })
}

function describeAnswers(dialogue: Dialogue, ask: Ask): void {
  const { protocol, tools: members } = dialogue
  describe.each(dialogues.map((upstream) => `sim/${upstream.protocol}-1`))('to %s', (model) => {
    const mode = model === `sim/${protocol}-1` ? 'relay' : 'translate'

    it('explains what a call would do', async () => {
      const answer = await ask(dialogue, model, 'Hi', { path: `/explain${dialogue.path(model, 'whole')}` })
      expect([answer.status, await answer.json()]).toMatchObject([200, { protocol, routes: [{ model, mode }] }])
    })

    it('[base.chat] [base.messages] [base.genai] [tr.4x4] [resp.create] [chat.create] [msg.create] [genai.generate] [err.request-id] answers without streaming', async () => {
      const answer = await ask(dialogue, model, 'Why is the sky blue?')
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('x-dragoman-path')).toBe(mode)
      expect(answer.headers.get('x-dragoman-model')).toBe(model)
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'))
      const body = (await answer.json()) as Wire
      dialogue.acceptWhole(body)
      expect(dialogue.text(body)).toContain('Why is the sky blue?')
    })

    it('[chat.stream] [msg.stream.order:in] [genai.stream] [tr.4x4] [resp.stream] streams the same text in its own form', async () => {
      const whole = (await (await ask(dialogue, model, 'Why is the sky blue?')).json()) as Wire
      const answer = await ask(dialogue, model, 'Why is the sky blue?', { delivery: 'streamed' })
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(answer.headers.get('x-dragoman-path')).toBe(mode)
      const stream = await answer.text()
      dialogue.acceptStream(stream)
      expect(dialogue.streamedText(stream)).toBe(dialogue.text(whole))
    })

    it('calls tools', async () => {
      const body = (await (await ask(dialogue, model, 'Use get_weather for Paris.', { members })).json()) as Wire
      dialogue.acceptWhole(body)
      expect(dialogue.calls(body)).toEqual([{ name: 'get_weather', input: { city: 'example' } }])
      const answer = await ask(dialogue, model, 'Use get_weather for Paris.', { members, delivery: 'streamed' })
      const stream = await answer.text()
      dialogue.acceptStream(stream)
      expect(stream).toContain('get_weather')
    })

    it('[err.midstream] reports an error, and does not end cleanly, when the model disconnects in the middle (trap 74)', async () => {
      const answer = await ask(dialogue, model, '[[cut]] Why?', { delivery: 'streamed' })
      const stream = await (dialogue.hasFailedEvent === true ? answer.text() : brokenText(answer))
      expect(() => dialogue.acceptStream(stream)).toThrow(Error)
      const last = stream.trimEnd().split('\n').at(-1) ?? ''
      expect(dialogue.error({ request_id: '', ...(JSON.parse(last.replace(/^data: /, '')) as Wire) }).message).not.toBe(
        '',
      )
    })

    it('forwards the error of the model', async () => {
      const answer = await ask(dialogue, model, '[[error 429]]')
      expect(answer.status).toBe(429)
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(dialogue.error((await answer.json()) as Wire).type).toBe(dialogue.errorTypes[429])
    })
  })
}

function describeErrors(dialogue: Dialogue, send: Send, ask: Ask): void {
  const { models, protocol } = dialogue
  const model = `sim/${protocol}-1`
  const path = dialogue.path(model, 'whole')
  const post = (options: AskOptions): Promise<Response> => ask(dialogue, model, 'hi', options)
  const expectError = async (answer: Response, status: number): Promise<string> => {
    expect(answer.status).toBe(status)
    const { type, message } = dialogue.error((await answer.json()) as Wire)
    expect(type).toBe(dialogue.errorTypes[status])
    return message
  }

  it('[auth.missing] refuses a missing and a wrong key, and does not repeat it', async () => {
    const wrong = dialogue.headers('sk-wrong-canary')
    const open = Object.fromEntries(Object.entries(wrong).filter(([, value]) => !value.includes('canary')))
    const body = JSON.stringify(dialogue.ask(model, 'hi', 'whole'))
    await expectError(await send(path, { method: 'POST', headers: open, body }), 401)
    expect(await expectError(await send(path, { method: 'POST', headers: wrong, body }), 401)).not.toContain('canary')
  })

  it('[base.unknown-model] [err.route] refuses unknown models, paths and methods', async () => {
    expect(await expectError(await ask(dialogue, 'sim/nobody', 'hi'), 404)).toContain('sim/nobody')
    await expectError(await send(`${path}/nowhere`), 404)
    const base = path.split('/').slice(0, 3).join('/')
    const unknown = await expectError(await send(`${base}/nowhere`), 404)
    for (const each of [`${base}/nowhere`, '/api/v1', '/api/anthropic', '/api/vertex-ai'])
      expect(unknown).toContain(each)
    const wrong = await send(path)
    expect(wrong.headers.get('allow')).toBe('POST')
    await expectError(wrong, 405)
    const looked = await send(models, { method: 'HEAD' })
    expect([looked.status, await looked.text()]).toEqual([200, ''])
    expect((await send(`${models}/`)).status).toBe(200)
  })

  it('describes its base, which clients request before their first call', async () => {
    const base = path.split('/').slice(0, 3).join('/')
    for (const address of [base, `${base}/`]) {
      const protocols = dialogues.filter((each) => each.path(model, 'whole').startsWith(`${base}/`))
      expect(await (await send(address)).json()).toMatchObject({
        name: 'dragoman',
        base,
        protocols: protocols.map((each) => each.protocol),
      })
      const looked = await send(address, { method: 'HEAD' })
      expect([looked.status, await looked.text()]).toEqual([200, ''])
    }
  })

  it('[err.native] refuses invalid bodies', async () => {
    for (const body of ['{"model":', '', '[]']) await expectError(await post({ body }), 400)
    const members = { [dialogue.turns]: 7 }
    expect(await expectError(await post({ members }), 400)).toContain(dialogue.turns)
  })

  it('[err.cors] allows browsers of the allowed origin only', async () => {
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
    const answer = await post({ headers: { origin: ALLOWED_ORIGIN } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN)
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id')
    const listed = await send(models, { headers: { origin: ALLOWED_ORIGIN } })
    expect(listed.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN)
  })
}
