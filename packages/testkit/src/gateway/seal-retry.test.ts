import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@dragoman/core'
import { defineProvider } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys, createMemoryLog } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { describe, expect, it } from 'vitest'
import { createGenaiDouble } from '../doubles/genai.ts'
import { createMessagesDouble } from '../doubles/messages.ts'
import type { Script } from '../doubles/script.ts'
import type { Double } from '../doubles/server.ts'
import { chat, genai, messages, type Delivery, type Dialogue } from './dialogue.ts'

const ANSWER: Script = [{ parts: [{ text: 'It is blue.' }] }]
const KEY = 'sk-caller'
/** Signed by a model of the same domain that this upstream does not know. */
const FOREIGN = 'EqQBofAnotherModel'
const THINKING = { type: 'thinking', thinking: 'hm', signature: FOREIGN }
const DETAIL = { type: 'reasoning.text', text: 'hm', signature: `dg1.anthropic.self.${FOREIGN}`, index: 0 }
const user = { role: 'user', content: 'And now?' }

/** The history of each protocol, with reasoning of another model. */
const HISTORIES: readonly { readonly from: Dialogue; readonly to: string; readonly turns: JsonObject }[] = [
  {
    from: messages,
    to: 'messages',
    turns: { messages: [user, { role: 'assistant', content: [THINKING, { type: 'text', text: 'Yes.' }] }, user] },
  },
  {
    from: chat,
    to: 'messages',
    turns: { messages: [user, { role: 'assistant', content: 'Yes.', reasoning_details: [DETAIL] }, user] },
  },
  {
    from: genai,
    to: 'genai',
    turns: {
      contents: [
        { role: 'user', parts: [{ text: 'Look.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'b3RoZXI=' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'sky' } } }] },
      ],
    },
  },
]

const doubleOf = (protocol: string, script: Script): Promise<Double> =>
  protocol === 'genai' ? createGenaiDouble(script, 'm') : createMessagesDouble(script)

/** A gateway on a socket, with a strict double as its upstream. */
async function stage(protocol: string, script: Script = ANSWER) {
  return stageBefore(protocol, await doubleOf(protocol, script))
}

async function stageBefore<Upstream extends Pick<Double, 'url' | 'close'>>(protocol: string, double: Upstream) {
  const transport = createUndiciTransport()
  const log = createMemoryLog()
  const gateway = createGateway({
    providers: [
      defineProvider({
        name: 'acme',
        models: [{ name: 'm', input: ['text'], output: ['text'], maxOutput: 9000, reasoning: {} }],
        endpoints: { [protocol]: double.url },
        extensions: { genai: { signatures: 'required' } },
        auth: { header: protocol === 'genai' ? 'x-goog-api-key' : 'x-api-key' },
        key: 'sk-upstream',
      }),
    ],
    keys: createMemoryKeys([{ id: 'tester', secret: KEY }]),
    transport,
    log,
  })
  const server = createServer(createNodeHandler(gateway))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const ask = (from: Dialogue, turns: JsonObject, delivery: Delivery = 'whole', headers = {}) =>
    fetch(`http://127.0.0.1:${port}${from.path('acme/m', delivery)}`, {
      method: 'POST',
      headers: { ...from.headers(KEY), ...headers },
      body: JSON.stringify({ ...from.ask('acme/m', '', delivery), ...turns }),
    })
  return {
    ask,
    double,
    log,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([transport.close(), double.close()])
    },
  }
}

describe.each(HISTORIES)('$from.protocol to $to, refused because of its signatures', ({ from, to, turns }) => {
  it.each<Delivery>(['whole', 'streamed'])(
    '[tr.signatures] [tr.losses] is sent again without them, and the losses are reported: %s',
    async (delivery) => {
      await using world = await stage(to)
      const answer = await world.ask(from, turns, delivery)
      const text = await answer.text()
      expect([answer.status, text]).toEqual([200, expect.stringContaining('blue')])
      expect(answer.headers.get('x-dragoman-path')).toBe('translate')
      expect(answer.headers.get('x-dragoman-losses')).toMatch(
        /dropped (messages|contents)\[1\]\.(content|parts|reasoning_details)\[0\]/,
      )
      expect(world.double.refused).toHaveLength(1)
      expect(world.double.received).toHaveLength(1)
      expect(JSON.stringify(world.double.received[0]?.body)).not.toMatch(/EqQBofAnotherModel|b3RoZXI=|"hm"/)
      expect(world.log.entries).toMatchObject([{ because: expect.stringContaining('seal') as string }])
      expect(world.log.entries[0]?.losses.filter(({ kind }) => kind === 'dropped')).toHaveLength(1)
    },
  )

  it('is refused for a strict caller', async () => {
    await using world = await stage(to)
    const answer = await world.ask(from, turns, 'whole', { 'x-dragoman-strict': 'true' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(/signature/i)
    expect(world.double.refused).toHaveLength(1)
    expect(world.double.received).toHaveLength(0)
  })
})

describe('an upstream that refuses', () => {
  const refusal = (message: string): Script => [{ status: 400, error: { type: 'invalid_request_error', message } }]
  const signed = { messages: [user] }

  it('a second time is not called again', async () => {
    await using world = await stage('messages', refusal('Invalid `signature` in `thinking` block'))
    const answer = await world.ask(messages, HISTORIES[0]?.turns ?? {})
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('Invalid `signature`')
    expect(world.double.refused).toHaveLength(1)
    expect(world.double.received).toHaveLength(1)
  })
  it.each([messages, chat])('$protocol without seals is not called again: nothing would differ', async (from) => {
    await using world = await stage('messages', refusal('Invalid `signature` in `thinking` block'))
    const answer = await world.ask(from, signed)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('Invalid `signature`')
    expect(world.double.received).toHaveLength(1)
  })
  it('a relayed call without its seal is called again with a placeholder', async () => {
    await using world = await stage('genai')
    const answer = await world.ask(genai, {
      contents: [
        { role: 'user', parts: [{ text: 'Look.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'sky' } } }] },
      ],
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('blue')])
    expect(world.double.refused).toHaveLength(1)
  })
  it('a request that loses less without seals is called again', async () => {
    await using world = await stage('messages')
    // Thinking leaves out the temperature and raises top_p; without its seal the loop goes on without thinking, and both are kept.
    const answer = await world.ask(chat, {
      reasoning_effort: 'high',
      temperature: 0.5,
      top_p: 0.5,
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }],
      messages: [
        user,
        {
          role: 'assistant',
          content: null,
          reasoning_details: [DETAIL],
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'sky' },
      ],
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('blue')])
    expect(world.double.refused).toHaveLength(1)
    expect(world.double.received[0]?.body).toMatchObject({ temperature: 0.5, top_p: 0.5 })
  })
  it('for another reason is not called again', async () => {
    await using world = await stage('messages', refusal('max_tokens is too large'))
    expect((await world.ask(messages, signed)).status).toBe(400)
    expect(world.double.received).toHaveLength(1)
  })
  it('in a stream that has not begun is called again', async () => {
    const bodies: string[] = []
    const refusal = { type: 'error', error: { type: 'invalid_request_error', message: 'Invalid `signature`' } }
    const good = await createMessagesDouble(ANSWER)
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }
    const ask = async (body: string): Promise<string> =>
      (await fetch(`${good.url}/v1/messages`, { method: 'POST', headers, body })).text()
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        if (bodies.push(body) === 1) response.end(`event: error\ndata: ${JSON.stringify(refusal)}\n\n`)
        else void ask(body).then((text) => response.end(text))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on TCP
    const close = async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await good.close()
    }
    await using world = await stageBefore('messages', { url: `http://127.0.0.1:${port}`, close })
    const [history] = HISTORIES
    const answer = await world.ask(messages, history?.turns ?? {}, 'streamed')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-dragoman-losses')).toMatch(
      /dropped (messages|contents)\[1\]\.(content|parts|reasoning_details)\[0\]/,
    )
    const text = await answer.text()
    messages.acceptStream(text)
    expect(messages.streamedText(text)).toBe('It is blue.')
    expect(bodies).toHaveLength(2)
    expect(bodies[1]).not.toContain(FOREIGN)
  })
})
