import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { card, parse } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { bytesOf, setUp } from './set-up.ts'

const HEADERS = {
  authorization: 'Bearer secret',
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
}

/** A messages upstream, called with a body as text. */
async function call(body: string, systemTurns: boolean) {
  const models = [card('m', { upstream: 'm-1', extensions: { messages: { systemTurns } } })]
  const { send, transport, log } = setUp({ protocols, providers: [fakeProvider('acme', ['messages'], models)] })
  const reply = await send(body, '/api/anthropic/v1/messages', HEADERS)
  const sent = transport.last.call.body
  return { reply, log, upstream: transport.last, sent: typeof sent === 'string' ? sent : textOf(bytesOf(sent)) }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** As no serializer would write it. */
const USER = String.raw`"metadata" : {"user_id":  "us\u0065r_1f_account__session_\/é"  , "x":1.0}`
const HELLO = '{"role":"user","content":"Hello"}'
const SYSTEM = '{ "role":"system", "content":"Be brief." }'
const body = (turns: string) => `{"model":"acme/m","max_tokens":9,${USER},"messages":[${turns}]}`

describe('a messages call to a messages upstream', () => {
  it('has the bytes of its user_id if it is relayed (trap 48) [msg.unsupported]', async () => {
    const { sent } = await call(body(HELLO), false)
    expect(sent).toBe(body(HELLO).replace('acme/m', 'm-1'))
  })

  it('has its system turns untouched if the card takes them (trap 47)', async () => {
    const { sent } = await call(body(`${HELLO},${SYSTEM}`), true)
    expect(sent).toBe(body(`${HELLO},${SYSTEM}`).replace('acme/m', 'm-1'))
  })

  it('is translated if the card takes no system turns, and keeps its user_id (trap 47) (trap 48)', async () => {
    const { sent, upstream, log } = await call(body(`${HELLO},${SYSTEM}`), false)
    expect(parse(sent)).toMatchObject({
      metadata: { user_id: 'user_1f_account__session_/é', x: 1 },
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'user', content: 'Be brief.' },
      ],
    })
    upstream.fail('reset')
    expect(log.entries[0]?.losses).toMatchObject([{ kind: 'changed', path: ['messages', 1, 'role'] }])
  })

  it.each([true, false])(
    'that is refused for its system turns is refused in the words that Claude Code looks for (trap 75): %s',
    async (systemTurns) => {
      const { reply, upstream } = await call(body(`${HELLO},${SYSTEM}`), systemTurns)
      const message = "messages.1.role: Input should be 'user' or 'assistant'"
      upstream.head(400)
      upstream.chunk(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }))
      upstream.end()
      expect(reply.status).toBe(400)
      expect(parse(reply.text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error', message } })
    },
  )
})
