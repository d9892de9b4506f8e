import { describe, expect, it } from 'vitest'
import { chat } from '../../src/protocols/chat/index.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translateAnswer } from '../../src/protocols/translate-answer.ts'

const UTF8 = new TextEncoder()
const chunk = (delta: object, more: object = {}) => ({ id: 'c', model: 'm', choices: [{ index: 0, delta }], ...more })
const delta = (piece: object) => ({ type: 'content_block_delta', index: 0, delta: piece })
const block = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block })
const parts = (...list: object[]) => ({ candidates: [{ index: 0, content: { role: 'model', parts: list } }] })
const begun = {
  type: 'message_start',
  message: { id: 'm', model: 'm', usage: { input_tokens: 7, output_tokens: 1 } },
}

/** The frames of a stream that is cut off, and the characters of its output that no count includes. */
const CUT: readonly [title: string, Protocol, readonly object[], number][] = [
  ['text', chat, [chunk({ role: 'assistant', content: '' }), chunk({ content: 'It ' }), chunk({ content: 'is.' })], 6],
  ['escapes', chat, [chunk({ content: 'a"b\\' }), chunk({ content: '\n' })], 5],
  ['reasoning', chat, [chunk({ reasoning_content: 'Why' }), chunk({ reasoning: 'not' })], 6],
  ['calls', chat, [chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"a":1}' } }] })], 7],
  [
    'text after a count',
    chat,
    [chunk({ content: 'It ' }, { usage: { completion_tokens: 1 } }), chunk({ content: 'is' })],
    2,
  ],
  ['all counted', chat, [chunk({ content: 'It ' }), { ...chunk({}), usage: { completion_tokens: 1 } }], 0],
  ['text', messages, [begun, block({ type: 'text', text: '' }), delta({ type: 'text_delta', text: 'It is.' })], 6],
  [
    'thinking',
    messages,
    [begun, block({ type: 'thinking', thinking: '' }), delta({ type: 'thinking_delta', thinking: 'Why' })],
    3,
  ],
  [
    'calls',
    messages,
    [
      begun,
      block({ type: 'tool_use', id: 'a', name: 'f', input: {} }),
      delta({ type: 'input_json_delta', partial_json: '{"a":1}' }),
    ],
    7,
  ],
  ['text', genai, [parts({ text: 'It ' }), parts({ text: 'is.' })], 6],
  ['all counted', genai, [{ ...parts({ text: 'It is.' }), usageMetadata: { candidatesTokenCount: 3 } }], 0],
]

const CASES = CUT.map(([title, from, frames, written]) => [title, from.name, from, frames, written] as const)

/** JSON doubles quotes and backslashes, which an estimate need not see. */
const isNear = (found: number, written: number): boolean => found >= written && found <= written * 2

describe('a stream that is cut off', () => {
  it.each(CASES)(
    'knows the size of its uncounted output, relayed: %s of %s',
    (_title, _name, from, frames, written) => {
      const tap = from.relay.tap({ stream: true, usage: true })
      for (const frame of frames) tap.push(UTF8.encode(`data: ${JSON.stringify(frame)}\n\n`))
      expect(isNear(tap.end().written ?? -1, written)).toBe(true)
      const spaced = from.relay.tap({ stream: true, usage: true })
      for (const frame of frames) spaced.push(UTF8.encode(`data: ${JSON.stringify(frame).replaceAll('":', '": ')}\n\n`))
      expect(isNear(spaced.end().written ?? -1, written)).toBe(true)
    },
  )

  it.each(CASES)(
    'knows the size of its uncounted output, translated: %s of %s',
    (_title, _name, from, frames, written) => {
      const facts = { names: [], asked: {}, hideReasoning: false }
      const stream = translateAnswer(messages, from, facts).answerStream(() => {})
      for (const frame of frames) stream.push(UTF8.encode(`data: ${JSON.stringify(frame)}\n\n`))
      stream.stop()
      expect(stream.written).toBe(written)
    },
  )
})
