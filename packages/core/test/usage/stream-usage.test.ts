import { describe, expect, it } from 'vitest'
import { DragomanError } from '../../src/ir/error.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { chat } from '../../src/protocols/chat/index.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translateStream } from '../../src/protocols/translate.ts'

const chunk = (more: JsonObject): JsonObject => ({
  id: 'c',
  model: 'm',
  choices: [{ index: 0, delta: { content: 'o' }, finish_reason: null }],
  ...more,
})
const spoken = (more: JsonObject): JsonObject => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'o' }] } }],
  ...more,
})

/** Frames of an upstream, and what it has counted when each of them has come. */
const COUNTING: readonly [Protocol, readonly (readonly [JsonObject, object | undefined])[]][] = [
  [
    chat,
    [
      [chunk({}), undefined],
      [chunk({ usage: { prompt_tokens: 7, completion_tokens: 1 } }), { input: 7, output: 1 }],
      [chunk({}), { input: 7, output: 1 }],
      [chunk({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } }), { input: 7, output: 3 }],
    ],
  ],
  [
    messages,
    [
      [
        { type: 'message_start', message: { id: 'm', model: 'm', usage: { input_tokens: 7, output_tokens: 1 } } },
        { input: 7, output: 1 },
      ],
      [
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { input: 7, output: 1 },
      ],
      [
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
        { input: 7, output: 3 },
      ],
    ],
  ],
  [
    genai,
    [
      [spoken({}), undefined],
      [spoken({ usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 1 } }), { input: 7, output: 1 }],
      [spoken({ usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3 } }), { input: 7, output: 3 }],
    ],
  ],
]

const cases = COUNTING.flatMap(([from, frames]) =>
  [chat, messages, genai].flatMap((to) =>
    frames.map((_frame, last) => ({ name: `${from.name} to ${to.name}`, from, to, frames, last })),
  ),
)

describe('usage of a stream that does not reach its end', () => {
  const play = ({ from, to, frames, last }: (typeof cases)[number]) => {
    let out = ''
    const stream = translateStream(to, from, (text) => (out += text))
    for (const [frame] of frames.slice(0, last + 1))
      stream.push(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`))
    return { stream, written: () => out, counted: frames[last]?.[1] }
  }

  it.each(cases)('is the count so far if the caller leaves: $name, frame $last', (each) => {
    const { stream, written, counted } = play(each)
    const before = written()
    stream.stop()
    expect(stream.done).toBe(true)
    expect(written()).toBe(before)
    expect(stream.usage).toEqual(counted)
    stream.push(new TextEncoder().encode('data: {}\n\n'))
    stream.fail(new DragomanError('upstream', 'too late'))
    expect(written()).toBe(before)
  })

  it.each(cases)('is the count so far if the upstream disconnects: $name, frame $last', (each) => {
    const { stream, counted } = play(each)
    stream.fail(new DragomanError('interrupted', 'The upstream broke off.'))
    expect(stream.usage).toEqual(counted)
  })
})
