import { describe, expect, it } from 'vitest'
import type { Ask, Send } from './ask.ts'
import { chat, dialogues, genai, messages, type Dialogue, type Wire } from './dialogue.ts'

/** What official SDKs send beside the key. */
const CLIENT_HEADERS: { readonly [protocol: string]: Record<string, string> } = {
  messages: { 'anthropic-version': '2023-06-01' },
  genai: { 'x-goog-api-client': 'google-genai-sdk/2.32.0 gl-node/v24' },
}

/** Wrong keys from one address are slowed down: these calls have an address of their own. */
const ELSEWHERE = { 'x-forwarded-for': '192.0.2.1' }

/** A path without the base of its protocol. */
function atRoot(path: string): string {
  return path.replace(/^\/api(?:\/anthropic|\/vertex-ai)?/, '')
}

/** The paths of the protocols, at the root. */
export function describeRoots(send: Send, ask: Ask): void {
  describe.each(dialogues)('$protocol at the root', (dialogue) => {
    const { protocol } = dialogue
    const model = `sim/${protocol}-1`

    it('answers, streams and explains as under its base', async () => {
      const whole = await ask(dialogue, model, 'Why?', { path: atRoot(dialogue.path(model, 'whole')) })
      expect([whole.status, whole.headers.get('x-dragoman-path')]).toEqual([200, 'relay'])
      const body = (await whole.json()) as Wire
      dialogue.acceptWhole(body)
      const delivery = 'streamed'
      const stream = await ask(dialogue, model, 'Why?', { delivery, path: atRoot(dialogue.path(model, delivery)) })
      const text = await stream.text()
      dialogue.acceptStream(text)
      expect(dialogue.streamedText(text)).toBe(dialogue.text(body))
      const explained = await ask(dialogue, model, 'Why?', {
        path: `/explain${atRoot(dialogue.path(model, 'whole'))}`,
      })
      expect([explained.status, await explained.json()]).toMatchObject([200, { protocol, routes: [{ model }] }])
    })

    it('refuses a missing key in its own shape', async () => {
      const headers = { 'content-type': 'application/json' }
      const path = atRoot(dialogue.path(model, 'whole'))
      const answer = await send(path, { method: 'POST', headers, body: '{}' })
      expect([answer.status, typeOf(dialogue, await answer.json())]).toEqual([401, dialogue.errorTypes[401]])
    })
  })

  describe('a path that several protocols have at the root', () => {
    it.each([
      [chat, 'object', {}],
      [messages, 'has_more', CLIENT_HEADERS['messages'] ?? {}],
      [messages, 'has_more', { 'anthropic-beta': 'x' }],
      [genai, 'models', CLIENT_HEADERS['genai'] ?? {}],
      // The key does not decide, in whichever header it is.
      [chat, 'object', { 'x-api-key': 'sk-ant-any', ...ELSEWHERE }],
      [chat, 'object', { 'x-goog-api-key': 'AIza-any', ...ELSEWHERE }],
    ])('belongs to the client of the headers: %o %s %o', async ({ protocol }, member, headers) => {
      const list = (await (await send('/v1/models', { headers })).json()) as Wire
      expect(list).toHaveProperty(member)
      const one = await send(`/v1/models/sim%2F${protocol}-1`, { headers })
      expect([one.status, await one.json()]).toMatchObject([
        200,
        protocol === 'genai' ? { name: `sim/${protocol}-1` } : { id: `sim/${protocol}-1` },
      ])
    })

    it.each([chat, messages, genai])('is refused in the shape of that client: $protocol', async (dialogue) => {
      const headers = CLIENT_HEADERS[dialogue.protocol] ?? {}
      for (const [method, path, status] of [
        ['GET', '/v1/models/sim%2Fnobody', 404],
        ['GET', '/v1/nowhere', 404],
        ['DELETE', '/v1/models', 405],
      ] as const) {
        const answer = await send(path, { method, headers })
        expect([path, answer.status, typeOf(dialogue, await answer.json())]).toEqual([
          path,
          status,
          dialogue.errorTypes[status],
        ])
      }
    })

    it('is not the path of one protocol alone, whatever the headers are', async () => {
      const headers = CLIENT_HEADERS['messages'] ?? {}
      expect((await ask(chat, 'sim/chat-1', 'Hi', { path: '/v1/chat/completions', headers })).status).toBe(200)
      const list = await send('/v1beta/models', { headers })
      expect([list.status, await list.json()]).toMatchObject([200, { models: expect.any(Array) as unknown }])
      const nowhere = await send('/v1beta/nowhere')
      expect([nowhere.status, typeOf(genai, await nowhere.json())]).toEqual([404, 'NOT_FOUND'])
    })
  })
}

function typeOf(dialogue: Dialogue, body: unknown): unknown {
  return dialogue.error(body as Wire).type // of an answer
}
