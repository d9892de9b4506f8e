import { describe, expect, it } from 'vitest'
import { editTopLevel } from '../lib/top-level.ts'
import type { JsonObject } from '../lib/json.ts'
import { chat } from './chat/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'
import type { Tap } from './relay.ts'
import { translate } from './translate.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array | undefined): string => (bytes === undefined ? '' : new TextDecoder().decode(bytes))

function edit(protocol: Protocol, text: string, model = 'upstream-model'): string {
  return textOf(editTopLevel(bytesOf(text), protocol.relay.edits(JSON.parse(text) as JsonObject, model)))
}
function run(tap: Tap, chunks: readonly Uint8Array[]): { out: string; end: ReturnType<Tap['end']> } {
  const out = chunks.map((chunk) => textOf(tap.push(chunk))).join('')
  const end = tap.end()
  return { out: out + textOf(end.rest), end }
}

describe('a relayed body', () => {
  it.each([chat, messages])('names the admitted model once, also if the client repeats it (trap 42)', (protocol) => {
    const text = String.raw`{"model":"cheap","mod\u0065l":"dear","max_tokens":9,"messages":[],"model":"last"}`
    const admitted = protocol.relay.peek(JSON.parse(text) as JsonObject, { operation: 'generate' }).model
    expect(admitted).toBe('last')
    const sent = edit(protocol, text)
    expect(sent).not.toMatch(/cheap|dear|last/)
    expect(sent.match(/upstream-model/g)).toHaveLength(1)
  })

  it('requests usage from a chat upstream, and keeps the other stream options (trap 43)', () => {
    const sent = JSON.parse(edit(chat, '{"model":"m","stream":true,"stream_options":{"other":1}}')) as JsonObject
    expect(sent['stream_options']).toEqual({ other: 1, include_usage: true })
    expect(JSON.parse(edit(chat, '{"model":"m","stream":true}'))).toMatchObject({
      stream_options: { include_usage: true },
    })
    expect(edit(chat, '{"model":"m"}')).not.toContain('stream_options')
  })

  it('removes the gateway’s own members and nothing else', () => {
    const text = '{"model":"m","provider":{"type":"priority"},"usage":{"include":true},"temperature":1.0}'
    expect(edit(chat, text)).toBe('{"model":"upstream-model","temperature":1.0}')
  })

  it('is not relayed if its history has state of another model', () => {
    const sealed = { role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 'dg1.openai.self.x' }] }
    expect(messages.relay.obstacle({ messages: [sealed] }, {})).toBeDefined()
    const details = [{ type: 'reasoning.text', text: 'a', signature: 'dg1.anthropic.self.x' }]
    expect(chat.relay.obstacle({ messages: [{ role: 'assistant', reasoning_details: details }] }, {})).toBeDefined()
    const own = { role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 'EqQB' }] }
    expect(messages.relay.obstacle({ messages: [own] }, {})).toBeUndefined()
  })

  it('is not relayed with an empty list of calls, which OpenAI refuses and openai-java sends', () => {
    const turns = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi', tool_calls: [] },
      { role: 'user', content: 'And now?' },
    ]
    expect(chat.relay.obstacle({ messages: turns }, {})).toContain('refused')
    const { body, losses } = translate(chat, chat, { model: 'm', messages: turns })
    expect(body['messages']).toEqual([turns[0], { role: 'assistant', content: 'Hi' }, turns[2]])
    expect(losses).toEqual([])
  })

  it('is relayed with system turns in its messages only to an upstream that accepts them (trap 47)', () => {
    const turns = [
      { role: 'user', content: 'Hello' },
      { role: 'system', content: 'Be brief.' },
    ]
    expect(messages.relay.obstacle({ messages: turns }, {}, { systemTurns: true })).toBeUndefined()
    expect(messages.relay.obstacle({ messages: turns }, {})).toContain('instructions')
    expect(chat.relay.obstacle({ messages: turns }, {})).toBeUndefined()
  })
})

const WORDS = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"é"},"finish_reason":null}],"usage":null}\n\n'
const STOP = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}\n\n'
const COUNT =
  'data: {"id":"c","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":4}}}\n\n'
const DONE = 'data: [DONE]\n\n'

describe('a relayed chat stream', () => {
  it('loses the usage chunk for a client that did not request it, with a cut at any byte (trap 43)', () => {
    const bytes = bytesOf(WORDS + STOP + COUNT + DONE)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const tap = chat.relay.tap({ stream: true })
      const { out, end } = run(tap, [bytes.subarray(0, cut), bytes.subarray(cut)])
      expect(out).toBe(WORDS + STOP + DONE)
      expect(end).toMatchObject({ complete: true, usage: { input: 10, output: 2, cacheRead: 4 } })
    }
  })

  it('keeps the usage chunk for a client that requested it (trap 43)', () => {
    const body = { stream: true, stream_options: { include_usage: true } }
    const { usage } = chat.relay.peek(body, { operation: 'generate' })
    const { out, end } = run(chat.relay.tap({ stream: true, usage }), [bytesOf(WORDS + STOP + COUNT + DONE)])
    expect(out).toBe(WORDS + STOP + COUNT + DONE)
    expect(end.usage).toMatchObject({ input: 10 })
  })

  it('keeps a last chunk with both choices and usage (trap 43)', () => {
    const last = STOP.replace('"usage":null', '"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12}')
    const tap = chat.relay.tap({ stream: true })
    const { out, end } = run(tap, [bytesOf(WORDS + last + DONE)])
    expect(out).toBe(WORDS + last + DONE)
    expect(end.usage).toMatchObject({ input: 10, output: 2 })
  })

  it('without its terminal event is not complete (trap 30)', () => {
    expect(run(chat.relay.tap({ stream: true }), [bytesOf(WORDS)]).end.complete).toBe(false)
    expect(run(chat.relay.tap({ stream: true }), [bytesOf(`${WORDS}data: [DO`)]).end.complete).toBe(false)
  })

  it('is the same bytes if nothing is removed', () => {
    const chunk = bytesOf(WORDS)
    expect(chat.relay.tap({ stream: true }).push(chunk)).toBe(chunk)
  })
})

describe('a relayed messages stream', () => {
  const frame = (event: JsonObject) => `event: ${event['type'] as string}\ndata: ${JSON.stringify(event)}\n\n`
  const counting = (start: JsonObject, end: JsonObject) =>
    [
      { type: 'message_start', message: { id: 'msg_1', usage: start } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: end },
      { type: 'message_stop' },
    ]
      .map(frame)
      .join('')
  const meter = (start: JsonObject, end: JsonObject) =>
    run(messages.relay.tap({ stream: true }), [bytesOf(counting(start, end))])

  it('is forwarded unchanged and counted by its last values (trap 15)', () => {
    const { out, end } = meter({ input_tokens: 100, output_tokens: 1 }, { output_tokens: 40 })
    expect(out).toBe(counting({ input_tokens: 100, output_tokens: 1 }, { output_tokens: 40 }))
    expect(end).toMatchObject({ complete: true, usage: { input: 100, output: 40 } })
  })

  it('keeps each count of the start that the end does not repeat (trap 16)', () => {
    const start = { input_tokens: 10, cache_read_input_tokens: 900 }
    const expected = { input: 910, cacheRead: 900, output: 5 }
    expect(meter(start, { input_tokens: 10, output_tokens: 5 }).end.usage).toMatchObject(expected)
    expect(meter({ input_tokens: 10 }, { cache_read_input_tokens: 900, output_tokens: 5 }).end.usage).toMatchObject(
      expected,
    )
  })

  it('keeps the two kinds of cache writes apart if the end has only their sum (trap 16)', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 70 }
    const start = { input_tokens: 10, cache_creation_input_tokens: 70, cache_creation }
    const end = { input_tokens: 10, cache_creation_input_tokens: 70, output_tokens: 5 }
    expect(meter(start, end).end.usage).toMatchObject({ input: 80, cacheWrite5m: 0, cacheWrite1h: 70 })
  })

  it('has failed with its error event, which is held back, and is not complete without its end (trap 30)', () => {
    const start = frame({ type: 'message_start', message: { usage: {} } })
    const tap = messages.relay.tap({ stream: true })
    const passed = tap.push(
      bytesOf(start + frame({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } })),
    )
    expect(new TextDecoder().decode(passed)).toBe(start)
    expect(tap.failed).toMatchObject({ kind: 'upstream-overloaded', message: 'busy' })
    expect(tap.end().complete).toBe(false)
  })

  it('is not ended by a model that only talks about its events', () => {
    const textFrame = frame({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: '{"type":"message_stop"} and event: error' },
    })
    expect(run(messages.relay.tap({ stream: true }), [bytesOf(textFrame)]).end.complete).toBe(false)
  })
})

describe('a relayed whole response', () => {
  it('is counted without changing its bytes', () => {
    const answer = '{"usage":{"input_tokens":3,"output_tokens":2}}'
    const { out, end } = run(messages.relay.tap({ stream: false }), [bytesOf(answer)])
    expect(out).toBe(answer)
    expect(end).toMatchObject({ complete: true, usage: { input: 3, output: 2 } })
    expect(run(chat.relay.tap({ stream: false }), [bytesOf('{"usage":')]).end.complete).toBe(false)
  })
})
