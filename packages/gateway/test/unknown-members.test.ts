import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { parse } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { bytesOf, setUp } from './set-up.ts'

const HEADERS = {
  authorization: 'Bearer secret',
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
}
const NEW = { x_new: { deep: [1, null] } }

/** A request of each protocol with unknown members at every level. */
const CALLS = [
  {
    from: 'chat',
    path: '/api/v1/chat/completions',
    body: {
      model: 'acme/m',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...NEW }], ...NEW }],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, ...NEW }, ...NEW }],
      response_format: { type: 'text', ...NEW },
      ...NEW,
    },
  },
  {
    from: 'messages',
    path: '/api/anthropic/v1/messages',
    body: {
      model: 'acme/m',
      max_tokens: 9,
      system: [{ type: 'text', text: 'Be brief.', ...NEW }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...NEW }], ...NEW }],
      tools: [{ name: 'f', input_schema: { type: 'object' }, ...NEW }],
      context_management: { edits: [{ type: 'clear_tool_uses_2099' }] },
      ...NEW,
    },
  },
  {
    from: 'genai',
    path: '/api/vertex-ai/v1/publishers/acme/models/m:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hi', ...NEW }], ...NEW }],
      tools: [{ functionDeclarations: [{ name: 'f', ...NEW }], ...NEW }],
      generationConfig: { temperature: 1, ...NEW },
      ...NEW,
    },
  },
]
const PAIRS = CALLS.flatMap((call) => protocols.map(({ name: to }) => ({ ...call, to })))

describe.each(PAIRS)('unknown members, from $from to $to', ({ from, to, path, body }) => {
  const world = () => setUp({ protocols, providers: [fakeProvider('acme', [to])] })

  it(from === to ? 'reach the upstream untouched' : 'are reported as lost', async () => {
    const { send, transport, log } = world()
    const reply = await send(JSON.stringify(body), path, HEADERS)
    expect(reply.text).toBe('')
    const sent = transport.last.call.body
    const text = typeof sent === 'string' ? sent : new TextDecoder().decode(bytesOf(sent))
    const same: object = 'model' in body ? { ...body, model: 'm' } : body
    expect(from === to ? parse(text) : same).toEqual(same)
    expect(text.includes('x_new')).toBe(from === to)
    transport.last.fail('reset')
    expect(JSON.stringify(log.entries[0]?.losses).includes('x_new')).toBe(from !== to)
  })
})

describe.each(protocols)('betas of a messages client, to $name', ({ name: to }) => {
  const { path, body } = CALLS[1]!
  const BETAS = 'context-1m-2025-08-07,some-day-2099-01-01'

  it.each(['anthropic-beta', 'partner-beta'])(
    `${to === 'messages' ? 'reach the upstream' : 'are reported as lost'}: %s`,
    async (header) => {
      const { send, transport, log } = setUp({ protocols, providers: [fakeProvider('acme', [to])] })
      await send(JSON.stringify(body), path, { ...HEADERS, [header]: BETAS })
      expect(transport.last.call.headers['anthropic-beta']).toBe(to === 'messages' ? BETAS : undefined)
      transport.last.fail('reset')
      const lost = log.entries[0]?.losses?.filter((loss) => JSON.stringify(loss).includes('anthropic-beta'))
      expect(lost).toHaveLength(to === 'messages' ? 0 : 1)
    },
  )
})
