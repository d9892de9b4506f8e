import { describe, expect, it } from 'vitest'
import { addUsage } from '../../src/ir/usage.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { chat } from '../../src/protocols/chat/index.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { responses } from '../../src/protocols/responses/index.ts'
import { translateResponse } from '../../src/protocols/translate.ts'

const UTF8 = new TextEncoder()

/** The usage in the text of a whole answer that is relayed. */
function tapped(protocol: Protocol, text: string) {
  const tap = protocol.relay.tap({ stream: false })
  tap.push(UTF8.encode(text))
  return tap.end().usage
}

describe('a number that is not a count', () => {
  it.each([
    ['1000000000', 1e9, undefined],
    ['1000000001', 1e9, true],
    ['1e308', 1e9, true],
    ['1e999', 1e9, true],
    ['-1', 0, true],
    ['-1e300', 0, true],
    ['-0', 0, undefined],
    ['1.4', 1, true],
    ['1.5', 2, true],
    ['7.0', 7, undefined],
  ])('%s becomes %d', (text, count, clamped) => {
    const usage = tapped(chat, `{"choices":[],"usage":{"prompt_tokens":${text},"completion_tokens":3}}`)
    expect(usage).toEqual({ input: count, output: 3, ...(clamped && { clamped }) })
    expect(Object.is(usage?.input, -0)).toBe(false)
  })

  it.each(['"12"', 'null', 'true', '{}'])('%s is unknown', (text) => {
    expect(tapped(chat, `{"choices":[],"usage":{"prompt_tokens":${text},"completion_tokens":3}}`)).toEqual({
      output: 3,
    })
  })

  it('does not leave the range in a sum', () => {
    const counted = {
      input_tokens: 1e9,
      cache_read_input_tokens: 1e9,
      cache_creation_input_tokens: 5,
      output_tokens: 1,
    }
    expect(messages.response.decode({ content: [], usage: counted }, { issuer: 'a' }).usage).toEqual({
      input: 1e9,
      cacheRead: 1e9,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 1,
      clamped: true,
    })
    const metadata = { promptTokenCount: 1, candidatesTokenCount: 1e9, thoughtsTokenCount: 1e9, totalTokenCount: 2e9 }
    expect(tapped(genai, JSON.stringify({ candidates: [], usageMetadata: metadata }))).toEqual({
      input: 1,
      output: 1e9,
      reasoning: 1e9,
      clamped: true,
    })
    const whole = { input: 6e8, searches: 1, modalities: { input: { TEXT: 6e8 } } }
    expect(addUsage(whole, { ...whole, extras: { chat: { cost: 0.5 } } })).toEqual({
      input: 1e9,
      searches: 2,
      modalities: { input: { TEXT: 1e9 } },
      extras: { chat: { cost: 0.5 } },
      clamped: true,
    })
  })

  it('in a total says nothing about the output', () => {
    const counted = { input_tokens: 5, output_tokens: 2, total_tokens: 1e300 }
    expect(tapped(responses, JSON.stringify({ output: [], usage: counted }))).toEqual({
      input: 5,
      output: 2,
      clamped: true,
    })
  })

  it('stays what it is in members that are not counts', () => {
    const usage = tapped(chat, '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.00125}}')
    expect(usage).toEqual({ input: 1, output: 2, extras: { chat: { cost: 0.00125 } } })
  })

  it('reaches a reader of another protocol as the nearest count, with a report', () => {
    const answer: JsonObject = {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: -5, completion_tokens: 1e308, total_tokens: 1e308 },
    }
    const { body, usage, losses } = translateResponse(messages, chat, answer)
    expect(body).toMatchObject({ usage: { input_tokens: 0, output_tokens: 1e9 } })
    expect(usage).toEqual({ input: 0, output: 1e9, clamped: true })
    expect(losses).toContainEqual(
      expect.objectContaining({
        kind: 'dropped',
        path: ['usage', 'clamped'],
        reason: 'the upstream has reported a count out of range',
      }),
    )
  })

  it('is bounded in counts of tokens, of images and of embeddings', () => {
    expect(messages.count?.decode({ input_tokens: 1e308 })).toBe(1e9)
    expect(responses.count?.decode({ input_tokens: -1 })).toBe(0)
    expect(genai.count?.decode({ totalTokens: 2.5 })).toBe(3)
    const drawn = chat.image?.answer.decode(
      {
        created: 1,
        data: [],
        usage: { input_tokens: 1, output_tokens: 1e300, output_tokens_details: { image_tokens: -1, text_tokens: 0 } },
      },
      { issuer: 'a', operation: 'image' },
    )
    expect(drawn?.usage).toEqual({
      input: 1,
      output: 1e9,
      modalities: { output: { image: 0, text: 0 } },
      clamped: true,
    })
    const predictions = [1e308, -4].map((token_count) => ({ embeddings: { values: [1], statistics: { token_count } } }))
    const embeddings = genai.embedding?.answer.decode({ predictions }, { issuer: 'a', operation: 'predict' })
    expect(embeddings).toMatchObject({ usage: { input: 1e9, clamped: true }, tokens: [1e9, 0] })
    const tap = genai.embedding?.tap({ stream: false })
    tap?.push(UTF8.encode(JSON.stringify({ predictions })))
    expect(tap?.end().usage).toEqual({ input: 1e9, clamped: true })
  })
})
