import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'
import { responses } from './responses/index.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** What a tap gives for these chunks, and what it knows at the end. */
function tapped(protocol: Protocol, chunks: readonly Uint8Array[], model: string): unknown {
  const tap = protocol.relay.tap({ stream: true, model })
  const out = chunks.map((chunk) => tap.push(chunk) ?? new Uint8Array())
  const { rest = new Uint8Array(), ...end } = tap.end()
  return { text: Buffer.concat([...out, rest]).toString('latin1'), end, failed: tap.failed?.message, line: tap.lineEnd }
}

/** Words that a frame is searched for, and characters that end strings, lines and frames. */
const bait = fc.constantFrom(
  'error',
  '"error"',
  'message_stop',
  'message_start',
  '"usage":{',
  'usage',
  '"finish_reason":"stop"',
  'model',
  '\\',
  '"model":"x"',
  '[DONE]',
  'data: ',
  '\n\n',
  '\r\n',
  '\\"',
  '日本',
  'é',
  '😀',
  '\ud83d',
  '\u2028',
  '\u007f',
  '"',
  '',
)
const token = fc.oneof(
  bait,
  fc.string({ maxLength: 6, unit: 'binary' }),
  fc.array(bait, { maxLength: 3 }).map((all) => all.join('')),
)
const upstream = fc.constantFrom('up-1', 'up-1', 'up-1', 'up-2', 'asked')
const space = fc.constantFrom('', '', '', ' ')
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')

/** JSON with a space after each colon outside of strings, as some upstreams write it. */
function written(value: unknown, gap: string): string {
  return gap === '' ? JSON.stringify(value) : JSON.stringify(value, undefined, 1).replaceAll(/\n */g, '')
}

type Frame = (token: string, model: string, number: number) => { readonly [member: string]: unknown }

/** The usual frames of each protocol, most of them with a token. */
const FRAMES: readonly { readonly protocol: Protocol; readonly frames: readonly Frame[] }[] = [
  {
    protocol: chat,
    frames: [
      ...[1, 2, 3].map((): Frame => (content, model) => ({
        id: 'c',
        model,
        choices: [{ index: 0, delta: { content }, finish_reason: null }],
      })),
      (content, model) => ({
        id: 'c',
        model,
        choices: [{ index: 0, delta: { content } }],
        obfuscation: content.slice(1),
      }),
      (reasoning, model) => ({
        id: 'c',
        model,
        choices: [{ index: 0, delta: { reasoning_content: reasoning } }],
        usage: null,
      }),
      (words, model) => ({ model, choices: [0, 1].map((index) => ({ index, delta: { content: words } })) }),
      (words, model) => ({
        choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: words } }] } }],
        model,
      }),
      (words, model) => ({
        model,
        choices: [{ delta: { content: words }, finish_reason: 'stop' }],
        service_tier: 'flex',
      }),
      (_, model, number) => ({ model, choices: [], usage: { prompt_tokens: number, completion_tokens: 2 } }),
      (message) => ({ error: { message } }),
      (content) => ({ content }),
    ],
  },
  {
    protocol: messages,
    frames: [
      ...[1, 2, 3].map((): Frame => (text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
      (thinking) => ({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking } }),
      (text, model, number) => ({
        type: 'message_start',
        message: { id: 'm', model, content: [text], usage: { input_tokens: number } },
      }),
      (text) => ({ type: 'content_block_start', index: 1, content_block: { type: 'text', text } }),
      (_, __, number) => ({ type: 'message_delta', delta: {}, usage: { output_tokens: number } }),
      () => ({ type: 'message_stop' }),
      (message) => ({ type: 'error', error: { type: 'api_error', message } }),
    ],
  },
  {
    protocol: genai,
    frames: [
      ...[1, 2, 3].map((): Frame => (text, modelVersion) => ({
        candidates: [{ content: { parts: [{ text }] }, index: 0 }],
        modelVersion,
      })),
      (text) => ({ candidates: [{ content: { parts: [{ text }, { text, thought: true }] } }] }),
      (text, _, number) => ({
        candidates: [{ content: { parts: [{ text }] } }],
        usageMetadata: { promptTokenCount: number },
      }),
      (text) => ({ candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }] }),
      (text) => ({ candidates: [{ content: { parts: [{ text }] }, groundingMetadata: { webSearchQueries: [text] } }] }),
      (message) => ({ error: { code: 500, message } }),
    ],
  },
  {
    protocol: responses,
    frames: [
      ...[1, 2, 3].map((): Frame => (delta, _, sequence_number) => ({
        type: 'response.output_text.delta',
        sequence_number,
        delta,
        logprobs: [],
      })),
      (delta, _, sequence_number) => ({
        type: 'response.output_text.delta',
        sequence_number,
        delta,
        obfuscation: `${delta}${delta}`,
      }),
      (delta, _, n) => ({ type: 'response.reasoning_text.delta', sequence_number: n, delta }),
      (_, model, n) => ({ type: 'response.created', sequence_number: n, response: { model } }),
      (text, model, n) => ({
        type: 'response.completed',
        sequence_number: n,
        response: { model, text, usage: { input_tokens: n, output_tokens: 1 } },
      }),
      (delta) => ({ type: 'response.output_item.done', output_index: 0, item: { type: 'web_search_call', delta } }),
      (message) => ({ type: 'error', message }),
    ],
  },
]

describe('a relayed stream', () => {
  it.each(FRAMES)(
    'of $protocol.name is the same frame by frame as byte by byte, whatever its tokens are',
    ({ protocol, frames }) => {
      const frame = fc
        .tuple(
          fc.nat(frames.length - 1),
          token,
          upstream,
          fc.nat(12),
          space,
          lineEnd,
          fc.constantFrom('', '', '', 'event: x', ': "text":"x"', '\ufeff'),
        )
        .map(([index, words, model, number, gap, end, before]) => {
          const line = before === '' || before === '\ufeff' ? before : `${before}${end}`
          return bytesOf(`${line}data:${gap}${written(frames[index]?.(words, model, number), gap)}${end}${end}`)
        })
      fc.assert(
        fc.property(fc.array(frame, { maxLength: 12 }), (all) => {
          const bytes = Buffer.concat(all)
          const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
          const expected = tapped(protocol, single, 'asked')
          expect(tapped(protocol, all, 'asked')).toEqual(expected)
          // Also with frames that come in two parts, and two frames in one part.
          const halves = all.flatMap((each) => [each.subarray(0, each.length >> 1), each.subarray(each.length >> 1)])
          expect(tapped(protocol, halves, 'asked')).toEqual(expected)
          const pairs = all.flatMap((each, index) =>
            index % 3 === 0 ? [Buffer.concat(all.slice(index, index + 2))] : index % 3 === 1 ? [] : [each],
          )
          expect(tapped(protocol, pairs, 'asked')).toEqual(expected)
        }),
        { numRuns: 1000 },
      )
    },
  )

  const delta = (content: string, obfuscation: string, model = 'up') =>
    bytesOf(
      `data: ${JSON.stringify({ id: 'c', model, choices: [{ index: 0, delta: { content }, finish_reason: null }], obfuscation })}\n\n`,
    )

  it('forwards the chunks of the upstream themselves if they name the requested model', () => {
    const tap = chat.relay.tap({ stream: true, model: 'up' })
    for (const [index, text] of ['Hello', ' wörld', '"\n', '\\', ''].entries()) {
      const chunk = delta(text, 'x'.repeat(index))
      expect(tap.push(chunk)).toBe(chunk)
    }
    expect(tap.end()).toMatchObject({ written: 'Hello wörld'.length + String.raw`\"\n\\`.length, complete: false })
  })

  it('gives every chunk bytes of its own if they name another model', () => {
    const tap = chat.relay.tap({ stream: true, model: 'asked' })
    const texts = Array.from({ length: 100 }, (_, index) => `${index}`)
    const out = texts.map((text) => tap.push(delta(text, text)))
    const expected = texts.map((text) => Buffer.from(delta(text, text, 'asked')).toString())
    expect(out.map((chunk) => Buffer.from(chunk ?? []).toString())).toEqual(expected)
  })

  it('finds its usage, its error and its end behind many tokens', () => {
    const ends = {
      usage: 'data: {"id":"c","model":"up","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n',
      error: 'data: {"error":{"message":"No."}}\n\n',
      end: 'data: [DONE]\n\n',
    }
    const tap = chat.relay.tap({ stream: true, usage: true, model: 'asked' })
    for (let index = 0; index < 50; index++) tap.push(delta(`${index}`, ''))
    tap.push(bytesOf(ends.usage))
    for (let index = 0; index < 5; index++) tap.push(delta('1234', ''))
    tap.push(bytesOf(ends.end))
    expect(tap.end()).toMatchObject({ usage: { input: 3, output: 4 }, written: 20, complete: true })
    expect(tap.push(bytesOf(ends.error))).toBeUndefined()
    expect(tap.failed?.message).toContain('No.')
  })

  it.each([
    {
      protocol: genai,
      frames: Array.from({ length: 3 }, () => ({
        candidates: [{ content: { parts: [{ text: 'abc' }] }, index: 0 }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
      })),
    },
    {
      protocol: chat,
      frames: ['a', 'b', 'error'].map((content, index) => ({
        model: 'up',
        choices: [{ index: 0, delta: { content } }],
        ...(index === 0 ? {} : { service_tier: 'flex' }),
      })),
    },
  ])('of $protocol.name that has facts beside its tokens is the same byte by byte', ({ protocol, frames }) => {
    const chunks = frames.map((frame) => bytesOf(`data: ${JSON.stringify(frame)}\n\n`))
    const single = Array.from(Buffer.concat(chunks), (byte) => Uint8Array.of(byte))
    expect(tapped(protocol, chunks, 'asked')).toEqual(tapped(protocol, single, 'asked'))
  })

  it('of messages does not end with the text "message_stop"', () => {
    const tap = messages.relay.tap({ stream: true, model: 'asked' })
    const text = (words: string) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: words },
    })
    tap.push(bytesOf(`event: content_block_delta\ndata: ${JSON.stringify(text('message_stop'))}\n\n`))
    expect(tap.end().complete).toBe(false)
    tap.push(bytesOf('event: message_stop\ndata: {"type": "message_stop"}\n\n'))
    expect(tap.end().complete).toBe(true)
  })
})
