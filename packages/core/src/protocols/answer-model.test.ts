import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../lib/json.ts'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'

const ASKED = 'fast "one" é'
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** What the client gets, with one cut at each of these positions. */
function relayed(protocol: Protocol, text: string, cuts: readonly number[] = [], stream = true, model = ASKED): string {
  const tap = protocol.relay.tap({ stream, usage: true, model })
  const bytes = bytesOf(text)
  const edges = [0, ...cuts, bytes.length]
  const out = edges.slice(1).map((edge, index) => tap.push(bytes.subarray(edges[index], edge)) ?? new Uint8Array())
  return Buffer.concat([...out, tap.end().rest ?? new Uint8Array()]).toString()
}

/** A frame of chat with the members after its model. */
const chunk = (model: string, after: string, id = '"c1"') =>
  `data: {"id":${id},"object":"chat.completion.chunk","created":7,"model":${model},${after}}\n\n`
const name = JSON.stringify(ASKED)

describe('the model in a relayed chat stream', () => {
  const frames = (model: string) => [
    ': a comment with {"model":"gpt-5-2025"}\n\n',
    chunk(model, '"choices":[{"index":0,"delta":{"role":"assistant","content":"gpt-5-2025"}}]'),
    chunk(model, String.raw`"choices":[{"index":0,"delta":{"content":"{\"model\":\"gpt-5-2025\"}"}}]`),
    chunk(model, '"choices":[{"index":0,"delta":{"content":"\\"model"}}],"x":{"model":"gpt-5-2025"}'),
    chunk(model, '"choices":[{"index":0,"delta":{"content":"é\\u0041"}}]', '"c2"'),
    `event: message\r\ndata:{ "choices" : [], "model" : ${model} , "n": 1.0 }\r\n\r\n`,
    chunk(model, '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]'),
    'data: [DONE]\n\n',
  ]

  it('is the requested one in every chunk, and nothing else changes, with a cut at any byte (trap 46)', () => {
    const text = frames('"gpt-5-2025"').join('')
    const expected = frames(name).join('')
    for (let cut = 0; cut <= bytesOf(text).length; cut++) expect(relayed(chat, text, [cut])).toBe(expected)
    expect(relayed(chat, text, [...bytesOf(text).keys()])).toBe(expected)
  })

  it('is the requested one if the upstream leaves it empty, out, null or writes it twice (trap 46)', () => {
    const rest = '"choices":[]'
    expect(relayed(chat, chunk('""', rest) + chunk('"gpt-5"', rest))).toBe(chunk(name, rest).repeat(2))
    expect(relayed(chat, chunk('null', rest))).toBe(chunk(name, rest))
    expect(relayed(chat, 'data: {"id":"c1"}\n\ndata: {}\n\n')).toBe(
      `data: {"model":${name},"id":"c1"}\n\ndata: {"model":${name}}\n\n`,
    )
    const twice = (model: string) =>
      chunk(model, String.raw`"choices":[],"mod\u0065l":${model}`) + chunk(model, `"model":${model}`)
    expect(relayed(chat, twice('"gpt-5"'))).toBe(twice(name))
  })

  it('is not touched if it is the requested one: the chunk itself is forwarded', () => {
    const bytes = bytesOf(frames(name).slice(1).join(''))
    const tap = chat.relay.tap({ stream: true, usage: true, model: ASKED })
    expect(tap.push(bytes)).toBe(bytes)
    expect(tap.push(bytes)).toBe(bytes)
  })

  it('is found after a byte order mark, and beside ids that are not ASCII', () => {
    const text = (model: string) =>
      ['', '\uFEFF', '', 'é'].map((mark) => mark.replace('é', '') + chunk(model, '"choices":[]', `"c${mark}"`)).join('')
    expect(relayed(chat, text('"gpt-5"'))).toBe(text(name))
    const marked = (model: string) => `\uFEFF${chunk(model, '"choices":[]').repeat(3)}`
    expect(relayed(chat, marked('"gpt-5"'))).toBe(marked(name))
  })

  it('keeps every frame that was forwarded, however many there are', () => {
    const tap = chat.relay.tap({ stream: true, usage: true, model: ASKED })
    const sent = Array.from({ length: 200 }, (_, index) => `"choices":[{"index":0,"delta":{"content":"${index}"}}]`)
    const out = sent.map((rest) => tap.push(bytesOf(chunk('"gpt-5"', rest))) ?? new Uint8Array())
    expect(Buffer.concat(out).toString()).toBe(sent.map((rest) => chunk(name, rest)).join(''))
  })

  it('does not break on a frame that is not JSON', () => {
    const text = 'data: {"\\x": }\n\ndata: {"model"\n\ndata: {"a\n\ndata\n\nid: 1\n\n'
    expect(() => relayed(chat, text)).not.toThrow()
  })
})

describe('the model in a relayed messages stream', () => {
  const start = (model: string) =>
    `event: message_start\ndata: {"type":"message_start","message":{"id":"m","model":${model},"content":[],"usage":{}},"model":"outer"}\n\n`
  const textDelta = (text: string) =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n\n`

  it('is the requested one in message.model, and nothing else changes, with a cut at any byte (trap 46)', () => {
    const rest = textDelta('message_start') + textDelta('{"message":{"model":"claude-x"}}')
    const text = start('"claude-x"') + rest
    for (let cut = 0; cut <= bytesOf(text).length; cut++)
      expect(relayed(messages, text, [cut])).toBe(start(name) + rest)
  })
})

describe('the model in a relayed whole response', () => {
  it.each([chat, messages])('is the requested one, and nothing else changes (trap 46)', (protocol) => {
    const body = (model: string) =>
      String.raw` {"id" : "a", "content": "\"model\":\"m-1\" \u003c \\", "list": [{"model":"m-1"}],${'\n'} "model" :${model} , "n": 1.0}` +
      '\n'
    expect(relayed(protocol, body('"m-1"'), [5, 20], false)).toBe(body(name))
    expect(relayed(protocol, '{"id":1.0}', [], false)).toBe(`{"model":${name},"id":1.0}`)
    expect(JSON.parse(relayed(protocol, '{"model":"a","model":"b"}', [], false))).toEqual({ model: ASKED })
  })
})

it('is the requested one in a whole response with bytes that are not UTF-8, and these stay as they are', () => {
  for (const broken of [[0xff], [0xc3], [0xe6, 0x97], [0xef, 0xbb, 0xbf], []]) {
    const body = (model: string) =>
      Buffer.concat([Buffer.from('{"id":"'), Buffer.from(broken), Buffer.from(`","model":${model},"n":1.0}`)])
    const tap = chat.relay.tap({ stream: false, model: ASKED })
    tap.push(body('"m-1"'))
    expect(Buffer.from(tap.end().rest ?? []).equals(body(name))).toBe(true)
  }
})

it("stays the upstream's in genai, whole and streamed", () => {
  const body: JsonObject = { candidates: [], modelVersion: 'gemini-x', model: 'm' }
  const text = JSON.stringify(body)
  expect(relayed(genai, text, [], false)).toBe(text)
  expect(relayed(genai, `data: ${text}\n\n`)).toBe(`data: ${text}\n\n`)
})
