import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../src/ports/manual-clock.ts'
import { createItemMemory, createMemoryKeys, type GatewayOptions } from '../src/index.ts'
import { nearOffload } from './near-offload.ts'
import { fakeProvider } from './scripted.ts'
import { KEY, setUp, SSE } from './set-up.ts'

const MINUTE = 60_000

describe('the memory of items', () => {
  const find = (memory: ReturnType<typeof createItemMemory>, caller: string, ...ids: string[]) =>
    Object.fromEntries(memory.find(caller, ids) as ReadonlyMap<string, string>) // this memory answers at once

  it('[resp.item_reference] forgets an item after 15 minutes', () => {
    const clock = createManualClock()
    const memory = createItemMemory({ clock })
    memory.put('one', [{ id: 'a', text: '1' }])
    clock.advance(10 * MINUTE)
    memory.put('one', [{ id: 'b', text: '2' }])
    clock.advance(5 * MINUTE - 1)
    expect(find(memory, 'one', 'a', 'b')).toEqual({ a: '1', b: '2' })
    clock.advance(1)
    expect(find(memory, 'one', 'a', 'b')).toEqual({ b: '2' })
    clock.advance(10 * MINUTE)
    expect(find(memory, 'one', 'b')).toEqual({})
  })

  it('[resp.item_reference] forgets the oldest items if it is full, and never takes one that is too large', () => {
    const memory = createItemMemory({ clock: createManualClock(), bytes: 3000 })
    const text = 'x'.repeat(500)
    for (const id of ['a', 'b', 'c']) memory.put('one', [{ id, text }])
    expect(Object.keys(find(memory, 'one', 'a', 'b', 'c'))).toEqual(['b', 'c'])
    memory.put('one', [{ id: 'd', text: 'x'.repeat(2000) }])
    expect(Object.keys(find(memory, 'one', 'b', 'c', 'd'))).toEqual(['b', 'c'])
    for (let again = 0; again < 10; again++) memory.put('one', [{ id: 'b', text }])
    expect(Object.keys(find(memory, 'one', 'b', 'c'))).toEqual(['b', 'c'])
  })

  it('[resp.item_reference] has 64 MB for all callers', () => {
    const memory = createItemMemory({ clock: createManualClock() })
    const text = 'x'.repeat(1024 * 1024)
    for (let id = 0; id < 40; id++) memory.put(`caller ${id}`, [{ id: 'a', text }])
    const known = Array.from({ length: 40 }, (_, id) => find(memory, `caller ${id}`, 'a')).filter(
      ({ a }) => a !== undefined,
    )
    expect(known).toHaveLength(31)
  })

  it('[resp.item_reference] keeps what a caller has if another writes more than there is room for', () => {
    const memory = createItemMemory({ clock: createManualClock(), bytes: 100_000 })
    const text = 'x'.repeat(500)
    for (const id of ['a', 'b', 'c']) memory.put('ann', [{ id, text }])
    for (let id = 0; id < 1000; id++) memory.put('eve', [{ id: `e${id}`, text }])
    expect(Object.keys(find(memory, 'ann', 'a', 'b', 'c'))).toEqual(['a', 'b', 'c'])
    expect(Object.keys(find(memory, 'eve', 'e998', 'e999'))).toEqual(['e998', 'e999'])
  })

  it('[resp.item_reference] gives each of several busy callers an equal share', () => {
    const memory = createItemMemory({ clock: createManualClock(), bytes: 200_000 })
    const text = 'x'.repeat(500)
    const ids = Array.from({ length: 500 }, (_, index) => `i${index}`)
    // One caller after another: the last one finds the memory full.
    for (const caller of ['ann', 'bob', 'cat', 'dan']) for (const id of ids) memory.put(caller, [{ id, text }])
    const counts = ['ann', 'bob', 'cat', 'dan'].map((caller) => Object.keys(find(memory, caller, ...ids)).length)
    // 200,000 bytes are some 154 items.
    for (const count of counts) expect(count).toBeGreaterThanOrEqual(34)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(145)
  })

  it('[resp.item_reference] keeps callers apart', () => {
    const memory = createItemMemory({ clock: createManualClock() })
    memory.put('one', [{ id: '1 a', text: '1' }])
    for (const [caller, id] of [
      ['two', '1 a'],
      ['', 'one1 a'],
      ['one1 ', 'a'],
    ] as const)
      expect(find(memory, caller, id)).toEqual({})
  })
})

const OTHER = { ...KEY, authorization: 'Bearer other' }
const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
const ITEM = {
  type: 'message',
  id: 'msg_up',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Blue.', annotations: [] }],
}
const CHAT_CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const frame = (event: { readonly type: string; readonly [member: string]: unknown }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
const answerOf = (output: readonly object[], status: string) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status,
  output,
  usage: USAGE,
})

/** What an upstream answers with "Blue.", whole and streamed. */
const ANSWERS: { readonly [protocol: string]: readonly [whole: string, streamed: string] } = {
  chat: [
    JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Blue.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
    [
      { ...CHAT_CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content: 'Blue.' }, finish_reason: null }] },
      { ...CHAT_CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]
      .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
      .join('') + 'data: [DONE]\n\n',
  ],
  responses: [
    JSON.stringify(answerOf([ITEM], 'completed')),
    frame({ type: 'response.created', sequence_number: 0, response: answerOf([], 'in_progress') }) +
      frame({ type: 'response.output_item.done', sequence_number: 1, output_index: 0, item: ITEM }) +
      frame({ type: 'response.completed', sequence_number: 2, response: answerOf([ITEM], 'completed') }),
  ],
}

function serve(upstream: string, options: Partial<GatewayOptions> = {}) {
  const world = setUp({
    protocols,
    providers: [fakeProvider('acme', [upstream])],
    keys: createMemoryKeys([
      { id: 'tester', secret: 'secret' },
      { id: 'other', secret: 'other' },
    ]),
    ...options,
  })
  const { send, transport } = world
  const post = (body: object, headers = KEY, path = '/api/v1/responses') =>
    send(JSON.stringify({ model: 'acme/m', ...body }), path, headers)
  /** Asks once, and gives the id of the message in the answer. */
  const first = async (members: { readonly stream?: boolean; readonly store?: boolean | null }): Promise<string> => {
    const reply = await post({ input: 'What colour?', ...members })
    await expect.poll(() => transport.calls).toHaveLength(1)
    const [whole = '', streamed = ''] = ANSWERS[upstream] ?? []
    transport.last.head(200, members.stream === true ? SSE : { 'content-type': 'application/json' })
    // Cut inside an event.
    const text = members.stream === true ? streamed : whole
    const middle = Math.floor(text.length / 2)
    transport.last.chunk(text.slice(0, middle))
    transport.last.chunk(text.slice(middle))
    transport.last.end()
    await expect.poll(() => reply.state).toBe(members.stream === true ? 'ended' : 'whole')
    const [id = ''] = /\bmsg_\w+/.exec(reply.text) ?? []
    expect(id).not.toBe('')
    return id
  }
  const again = (id: string, headers = KEY, path?: string) =>
    post(
      {
        input: [
          { role: 'user', content: 'What colour?' },
          { type: 'item_reference', id },
          { role: 'user', content: 'Sure?' },
        ],
      },
      headers,
      path,
    )
  const sent = (): string => {
    const { body } = transport.last.call
    return typeof body === 'string' ? body : Buffer.concat([body as Uint8Array].flat()).toString() // pieces or bytes
  }
  return { ...world, first, again, sent }
}

describe.each(['chat', 'responses'])('a reference to an item of an answer of %s', (upstream) => {
  it.each([
    ['whole', {}],
    ['streamed', { stream: true }],
    ['whole, and stored', { store: true }],
    ['whole, and stored by default', { store: null }],
  ])('[resp.item_reference] becomes the item: %s (trap 109)', async (_name, members) => {
    const { first, again, transport, sent } = serve(upstream)
    await again(await first(members))
    expect(transport.calls).toHaveLength(2)
    expect(sent()).toContain('Blue.')
    expect(sent()).not.toContain('item_reference')
  })

  it('[resp.item_reference] becomes the item in another thread', async () => {
    const { first, again, transport, sent } = serve(upstream, { offload: nearOffload() })
    await again(await first({}))
    await expect.poll(() => transport.calls).toHaveLength(2)
    expect(sent()).toContain('Blue.')
  })

  it('[resp.item_reference] [resp.input_tokens] is counted as the item', async () => {
    const { first, again } = serve(upstream)
    const reply = await again(await first({}), KEY, '/api/v1/responses/input_tokens')
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([200, { object: 'response.input_tokens' }])
  })

  const REFUSED = {
    error: {
      type: 'invalid_request_error',
      param: 'input[1]',
      message: expect.stringContaining('set the provider option store to false') as string,
    },
  }

  it('[resp.item_reference] is refused for another key', async () => {
    const { first, again } = serve(upstream)
    const reply = await again(await first({}), OTHER)
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([400, REFUSED])
  })

  it.each([{ store: false }, { store: false, stream: true }])(
    '[resp.item_reference] is refused if the answer was not to be stored: %j',
    async (members) => {
      const { first, again } = serve(upstream)
      const reply = await again(await first(members))
      expect([reply.status, JSON.parse(reply.text)]).toMatchObject([400, REFUSED])
    },
  )

  it('[resp.item_reference] is refused after 15 minutes, and if the memory is off', async () => {
    const { first, again, clock } = serve(upstream)
    const id = await first({})
    clock.advance(15 * MINUTE)
    expect((await again(id)).status).toBe(400)
    const off = serve(upstream, { itemMemory: 'off' })
    expect((await off.again(await off.first({}))).status).toBe(400)
  })
})

it('[resp.item_reference] refuses a request that grows beyond a body by naming one item often', async () => {
  const { first, send } = serve('chat', { limits: { body: 20_000 } })
  const id = await first({})
  const input = Array.from({ length: 200 }, () => ({ type: 'item_reference', id }))
  const reply = await send(JSON.stringify({ model: 'acme/m', input }), '/api/v1/responses')
  expect(reply.status).toBe(413)
})
