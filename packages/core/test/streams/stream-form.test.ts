import { describe, expect, it } from 'vitest'
import { DragomanError } from '../../src/ir/error.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { chat } from '../../src/protocols/chat/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import type { AnswerStream } from '../../src/protocols/answer-stream.ts'
import { translate } from '../../src/protocols/translate.ts'

const hello = { role: 'user', content: 'hello' }
const body = { model: 'm', max_tokens: 9, messages: [hello], stream: true }
const framesOf = (events: readonly JsonObject[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

function play(
  from: Protocol,
  to: Protocol,
  upstream: string,
): { out: string; events: JsonObject[]; answer: AnswerStream } {
  let out = ''
  const answer = translate(from, to, body, { id: () => 'made', now: 1 }).answerStream((text) => (out += text))
  answer.push(new TextEncoder().encode(upstream))
  answer.end()
  const lines = out.split('\n').filter((line) => line.startsWith('data: {'))
  return { out, answer, events: lines.map((line) => JSON.parse(line.slice(6)) as JsonObject) }
}

const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
  id: 'c1',
  model: 'gpt',
  created: 1,
  choices: [{ index: 0, delta, finish_reason }],
})
const piece = (index: number, members: JsonObject): JsonObject => ({ tool_calls: [{ index, ...members }] })
const opened = (index: number, id: string): JsonObject =>
  piece(index, { id, type: 'function', function: { name: 'look', arguments: '' } })
const argumentsOf = (index: number, text: string): JsonObject => piece(index, { function: { arguments: text } })
const DONE = 'data: [DONE]\n\n'

/** Text, reasoning, and two calls that grow side by side. */
const LIVELY = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ reasoning_content: 'hm' }),
  chunk({ content: 'Look' }),
  chunk({ content: 'ing' }),
  chunk(opened(0, 'call_1')),
  chunk(opened(1, 'call_2')),
  chunk(argumentsOf(1, '{"b":')),
  chunk(argumentsOf(0, '{"a":1}')),
  chunk(argumentsOf(1, '2}')),
  chunk({}, 'tool_calls'),
]

/** What the messages protocol demands of a stream; the blocks as the official client gathers them. */
function checkForm(events: readonly JsonObject[]): JsonObject[] {
  const blocks: { shell: JsonObject; text: string; deltas: string[] }[] = []
  const order: string[] = []
  const faults: JsonObject[] = [] // opened twice or out of turn, grown or closed without being open
  let open: number | undefined
  for (const event of events) {
    const type = event['type'] as string
    if (type.startsWith('message_')) order.push(type)
    if (type === 'content_block_start') {
      if (open !== undefined || event['index'] !== blocks.length) faults.push(event)
      open = blocks.length
      blocks.push({ shell: event['content_block'] as JsonObject, text: '', deltas: [] })
    } else if (type === 'content_block_delta') {
      if (open === undefined || event['index'] !== open) faults.push(event)
      const { type: kind, ...rest } = event['delta'] as { [key: string]: string }
      blocks.at(-1)?.deltas.push(String(kind))
      blocks.at(-1)!.text += Object.values(rest)[0] ?? ''
    } else if (type === 'content_block_stop') {
      if (open === undefined || event['index'] !== open) faults.push(event)
      open = undefined
    }
  }
  expect(faults).toEqual([])
  expect(open).toBeUndefined()
  expect(order).toEqual(['message_start', 'message_delta', 'message_stop'])
  expect(events[0]?.['type']).toBe('message_start')
  expect(events.at(-1)?.['type']).toBe('message_stop')
  return blocks
}

describe('a stream for a messages client', () => {
  it('opens each block before its deltas, closes each once, and numbers them without gaps (trap 22) [msg.stream.order:through]', () => {
    const { events, out } = play(messages, chat, framesOf(LIVELY) + DONE)
    const blocks = checkForm(events) as { shell?: JsonObject; text?: string }[]
    expect(blocks.map(({ shell }) => shell?.['type'])).toEqual(['thinking', 'text', 'tool_use', 'tool_use'])
    expect(blocks.map(({ text }) => text).slice(1)).toEqual(['Looking', '{"a":1}', '{"b":2}'])
    expect(out.match(/^event: /gm)).toHaveLength(events.length)
    for (const event of events) expect(out).toContain(`event: ${event['type'] as string}\n`)
  })

  it('has each kind of delta, and valid JSON at the end [msg.stream.deltas:through]', () => {
    const { events } = play(messages, chat, framesOf(LIVELY) + DONE)
    const blocks = checkForm(events) as { deltas?: string[]; text?: string }[]
    expect(blocks.map(({ deltas }) => [...new Set(deltas)])).toEqual([
      ['thinking_delta', 'signature_delta'],
      ['text_delta'],
      ['input_json_delta'],
      ['input_json_delta'],
    ])
    for (const { text } of blocks.slice(2)) expect(() => JSON.parse(String(text)) as unknown).not.toThrow()
  })

  it('uses the block indexes of an upstream only as names (trap 22)', () => {
    const upstream = framesOf([
      { type: 'message_start', message: { id: 'msg_1', model: 'claude', usage: { input_tokens: 1 } } },
      { type: 'content_block_start', index: 3, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'a' } },
      { type: 'content_block_stop', index: 3 },
      { type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'never opened' } },
      { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 't', name: 'n', input: {} } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ])
    const blocks = checkForm(play(messages, messages, upstream).events)
    expect(blocks.map(({ shell }) => (shell as JsonObject)['type'])).toEqual(['text', 'tool_use'])
  })

  it.each([
    [
      { type: 'tool_use', id: 't', name: 'n', input: { a: 1 } },
      { type: 'tool_use', id: 't', name: 'n', input: {} },
      '{"a":1}',
    ],
    [{ type: 'text', text: 'whole' }, { type: 'text', text: '' }, 'whole'],
    [{ type: 'thinking', thinking: 'whole' }, { type: 'thinking', thinking: '' }, 'whole'],
  ])('starts with an empty block although the upstream put everything into it: %j (trap 23)', (block, shell, text) => {
    const upstream = framesOf([
      { type: 'message_start', message: { id: 'msg_1', model: 'claude', usage: {} } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
      { type: 'message_stop' },
    ])
    const [found] = checkForm(play(messages, messages, upstream).events) as { shell?: JsonObject; text?: string }[]
    expect(found?.shell).toMatchObject(shell)
    expect(found?.text).toContain(text)
    const crossed = play(chat, messages, upstream).events
    expect(JSON.stringify(crossed)).toContain(JSON.stringify(text).slice(1, -1))
  })

  it('starts with an empty block although a chat upstream sent the whole call at once (trap 23)', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }
    const { events } = play(messages, chat, framesOf([chunk(piece(0, call)), chunk({}, 'tool_calls')]) + DONE)
    const [block] = checkForm(events) as { shell?: JsonObject; text?: string }[]
    expect(block?.shell).toEqual({ type: 'tool_use', id: 'call_1', name: 'look', input: {} })
    expect(block?.text).toBe('{"a":1}')
  })

  it('has no empty text block although the upstream opened one (trap 8)', () => {
    const { events } = play(
      messages,
      chat,
      framesOf([chunk({ role: 'assistant', content: '' }), ...LIVELY.slice(4)]) + DONE,
    )
    const blocks = checkForm(events) as { shell?: JsonObject }[]
    expect(blocks.map(({ shell }) => shell?.['type'])).toEqual(['tool_use', 'tool_use'])
  })

  it('has everything the official client reads at the start and in message_delta [msg.stream.order:through]', () => {
    const { events } = play(messages, chat, framesOf(LIVELY) + DONE)
    expect(events[0]?.['message']).toMatchObject({
      id: 'c1',
      type: 'message',
      role: 'assistant',
      model: 'gpt',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    })
    const last = events.find(({ type }) => type === 'message_delta')
    expect(last).toMatchObject({ delta: { stop_reason: 'tool_use', stop_sequence: null } })
    expect(last?.['usage']).toMatchObject({ input_tokens: 0, output_tokens: 0 })
  })
})

describe('a stream for a chat client', () => {
  const upstream = framesOf([
    { type: 'message_start', message: { id: 'msg_1', model: 'claude', usage: {} } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't1', name: 'n', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't2', name: 'n', input: {} } },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} },
    { type: 'message_stop' },
  ])

  it('has the role first, one id, an index on every call, one finish reason and [DONE] [chat.res:through]', () => {
    const { out, events } = play(chat, messages, upstream)
    const deltas = events.map((event) => (event['choices'] as { delta: JsonObject; finish_reason: string | null }[])[0])
    expect(deltas[0]?.delta['role']).toBe('assistant')
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(['msg_1']))
    expect(new Set(events.map(({ object }) => object))).toEqual(new Set(['chat.completion.chunk']))
    const indexes = deltas.flatMap((each) => (each?.delta['tool_calls'] as { index: number }[] | undefined) ?? [])
    expect(indexes.map(({ index }) => index)).toEqual([0, 0, 1, 1])
    expect(deltas.map((each) => each?.finish_reason).filter((reason) => reason !== null)).toEqual(['tool_calls'])
    expect(out.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(out).not.toContain('event:')
  })

  it('ignores everything after [DONE]', () => {
    const { out } = play(chat, chat, framesOf(LIVELY) + DONE + framesOf([chunk({ content: 'late' })]))
    expect(out).not.toContain('late')
    expect(out.match(/\[DONE\]/g)).toHaveLength(1)
  })
})

describe('an upstream that disconnects in the middle', () => {
  const half = {
    chat: framesOf(LIVELY.slice(0, 4)),
    messages: framesOf([
      { type: 'message_start', message: { id: 'msg_1', usage: {} } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hal' } },
    ]),
  }

  it.each([chat, messages])(
    'is an error event for a messages client, and nothing after it (trap 30) [msg.stream.error:through]',
    (to) => {
      const { out, events, answer } = play(messages, to, half[to.name as 'chat' | 'messages'])
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
      expect(out).toContain('event: error\n')
      expect(out).not.toContain('message_stop')
      expect(out).not.toContain('message_delta')
      expect(answer.failed).toMatchObject({ kind: 'interrupted' })
    },
  )

  it.each([chat, messages])('is an error line for a chat client, and no [DONE] after it (trap 30)', (to) => {
    const { out, events } = play(chat, to, half[to.name as 'chat' | 'messages'])
    expect(events.at(-1)).toMatchObject({ error: { type: 'server_error', param: null } })
    expect(out).not.toContain('[DONE]')
    expect(out).not.toMatch(/"finish_reason":"/)
  })

  it('is an error if it sends nothing at all (trap 30)', () => {
    for (const to of [chat, messages]) {
      expect(play(chat, to, '').events).toEqual([expect.objectContaining({ error: expect.anything() as unknown })])
      expect(play(messages, to, '').events.at(-1)).toMatchObject({ type: 'error' })
    }
  })

  it('is an error once if the door reports it (trap 30)', () => {
    let out = ''
    const answer = translate(messages, chat, body).answerStream((text) => (out += text))
    answer.push(new TextEncoder().encode(half.chat))
    answer.fail(new DragomanError('timeout', 'Too slow.'))
    answer.fail(new DragomanError('timeout', 'Again.'))
    answer.end()
    expect(out.match(/event: error/g)).toHaveLength(1)
    expect(out).toContain('"timeout_error"')
    expect(answer.done).toBe(true)
  })
})

describe('an error of the upstream inside its stream', () => {
  it.each([
    ['invalid_request_error', 'invalid_request_error'],
    ['rate_limit_error', 'rate_limit_error'],
    ['overloaded_error', 'overloaded_error'],
    ['api_error', 'api_error'],
  ])('keeps its type %s for a messages client and ends the stream [msg.stream.error:through]', (type, expected) => {
    const error = framesOf([{ type: 'error', error: { type, message: 'Of the upstream.' } }])
    const { events } = play(messages, messages, error)
    expect(events.at(-1)).toEqual({ type: 'error', error: { type: expected, message: 'Of the upstream.' } })
    const crossed = play(chat, messages, error)
    expect(crossed.events.at(-1)).toMatchObject({ error: { message: 'Of the upstream.' } })
    expect(crossed.out).not.toContain('[DONE]')
  })

  it('of chat is an error event for a messages client [msg.stream.error:through]', () => {
    const error = { message: 'Slow down.', type: 'rate_limit_error', param: null, code: null }
    const { events } = play(messages, chat, framesOf([...LIVELY.slice(0, 3), { error }]))
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } })
  })

  it.each(['not json', '7', 'null', '[]', '{"choices":5}', '{"choices":[{"delta":{"tool_calls":[null]}}]}'])(
    'that is not an event, %s, ends it with an error or is ignored, and never throws',
    (data) => {
      for (const from of [chat, messages]) {
        for (const to of [chat, messages]) {
          const { answer } = play(from, to, `data: ${data}\n\n`)
          expect(answer.failed?.name).toBe('DragomanError')
        }
      }
    },
  )
})
