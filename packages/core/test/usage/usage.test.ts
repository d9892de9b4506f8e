import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { chat, genai, messages } from '../untyped.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

const hello = { role: 'user', content: 'hello' }
const chatBody = { model: 'm', messages: [hello], stream: true, stream_options: { include_usage: true } }
const messagesBody = { model: 'm', max_tokens: 9, messages: [hello], stream: true }

function play(from: Protocol, to: Protocol, frames: readonly JsonObject[]): JsonObject[] {
  let out = ''
  const answer = translate(from, to, from === chat ? chatBody : messagesBody).answerStream((text) => (out += text))
  answer.push(new TextEncoder().encode(frames.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')))
  answer.end()
  const lines = out.split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice(6)) as JsonObject)
}
/** A messages upstream that counts at its start and at its end. */
const counting = (start: JsonObject, end: JsonObject) => [
  { type: 'message_start', message: { id: 'msg_1', usage: start } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: end },
  { type: 'message_stop' },
]
const chatUsage = (start: JsonObject, end: JsonObject) => play(chat, messages, counting(start, end)).at(-1)?.['usage']
const finalUsage = (events: readonly JsonObject[]) => events.find(({ type }) => type === 'message_delta')?.['usage']

describe('usage of a stream', () => {
  it('is the last value, not the sum of start and end (trap 15) [msg.stream.usage:through]', () => {
    const start = { input_tokens: 100, output_tokens: 1 }
    expect(chatUsage(start, { output_tokens: 40 })).toMatchObject({
      prompt_tokens: 100,
      completion_tokens: 40,
      total_tokens: 140,
    })
    expect(chatUsage(start, { input_tokens: 100, output_tokens: 40 })).toMatchObject({
      prompt_tokens: 100,
      completion_tokens: 40,
    })
  })

  it('does not double the prompt when the upstream splits it later (trap 16)', () => {
    const split = { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 5 }
    expect(chatUsage({ input_tokens: 1000, output_tokens: 1 }, split)).toMatchObject({
      prompt_tokens: 1000,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 900 },
    })
  })

  it('keeps each count of the start that the end does not repeat (trap 16)', () => {
    const start = { input_tokens: 10, cache_read_input_tokens: 900, output_tokens: 1 }
    const expected = { prompt_tokens: 910, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 900 } }
    expect(chatUsage(start, { output_tokens: 5 })).toMatchObject(expected)
    expect(chatUsage(start, { input_tokens: 10, output_tokens: 5 })).toMatchObject(expected)
    expect(chatUsage({ input_tokens: 10 }, { cache_read_input_tokens: 900, output_tokens: 5 })).toMatchObject(expected)
  })

  it('keeps the two kinds of cache writes apart if the end has only their sum (trap 16) [msg.res.usage:through]', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 70 }
    const start = { input_tokens: 10, cache_creation_input_tokens: 70, cache_creation, output_tokens: 1 }
    const end = { input_tokens: 10, cache_creation_input_tokens: 70, cache_read_input_tokens: 0, output_tokens: 5 }
    expect(finalUsage(play(messages, messages, counting(start, end)))).toMatchObject({
      input_tokens: 10,
      cache_creation_input_tokens: 70,
      cache_creation,
      output_tokens: 5,
    })
  })

  it('is the newest sum of cache writes, not the details of an earlier one (trap 53)', () => {
    const writes = (fiveMinutes: number, oneHour: number) => ({
      cache_creation_input_tokens: fiveMinutes + oneHour,
      cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour },
    })
    const start = { input_tokens: 10, output_tokens: 1, ...writes(30, 70) }
    const end = { cache_creation_input_tokens: 250, output_tokens: 5 }
    expect(chatUsage(start, end)).toMatchObject({ prompt_tokens: 260, completion_tokens: 5 })
    expect(finalUsage(play(messages, messages, counting(start, end)))).toMatchObject({
      input_tokens: 10,
      ...writes(180, 70),
    })
    const tap = messages.relay.tap({ stream: true })
    const frames = counting(start, end).map((event) => `data: ${JSON.stringify(event)}\n\n`)
    tap.push(new TextEncoder().encode(frames.join('')))
    expect(tap.end().usage).toMatchObject({ input: 260, cacheWrite5m: 180, cacheWrite1h: 70 })
  })

  it('is at the start with the counts so far, and complete at the end beside and inside delta [msg.stream.usage:through]', () => {
    const events = play(messages, messages, counting({ input_tokens: 100, output_tokens: 1 }, { output_tokens: 40 }))
    const [first] = events as { message: { usage: JsonObject } }[]
    expect(first?.message.usage).toMatchObject({ input_tokens: 100, output_tokens: 0 })
    const last = events.find(({ type }) => type === 'message_delta')
    expect(last?.['usage']).toMatchObject({ input_tokens: 100, output_tokens: 40 })
    expect(last?.['delta']).toMatchObject({ usage: { output_tokens: 40 } })
  })

  it('is 0 at the start of a messages stream whose upstream counts at the end [msg.stream.usage:through]', () => {
    const frames = [
      { id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }] },
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { id: 'c', choices: [], usage: { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 } },
    ]
    const events = play(messages, chat, frames)
    expect(events[0]).toMatchObject({ message: { usage: { input_tokens: 0, output_tokens: 0 } } })
    expect(finalUsage(events)).toMatchObject({ input_tokens: 100, output_tokens: 40 })
  })

  it('is the last value of a chat upstream that counts in every chunk (trap 15)', () => {
    const chunk = (n: number, finish_reason: string | null) => ({
      choices: [{ index: 0, delta: { content: 'x' }, finish_reason }],
      usage: { prompt_tokens: 100, completion_tokens: n, total_tokens: 100 + n },
    })
    const events = play(messages, chat, [chunk(1, null), chunk(2, null), chunk(3, 'stop')])
    expect(finalUsage(events)).toMatchObject({ input_tokens: 100, output_tokens: 3 })
  })

  it('comes in a last chunk without choices for a chat client that requested it, and otherwise not at all [chat.stream_options:through]', () => {
    const asked = play(chat, messages, counting({ input_tokens: 100 }, { output_tokens: 40 }))
    expect(asked.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 40 } })
    let out = ''
    const answer = translate(chat, messages, { model: 'm', messages: [hello], stream: true }).answerStream(
      (text) => (out += text),
    )
    const frames = counting({ input_tokens: 100 }, { output_tokens: 40 })
    answer.push(new TextEncoder().encode(frames.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')))
    answer.end()
    expect(out).not.toContain('"usage"')
    expect(answer.usage).toMatchObject({ input: 100, output: 40 })
  })
})

describe('tokens of reasoning', () => {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }]
  const counted = (usage: JsonObject) => translate(messages, chat, messagesBody).response({ choices, usage }).usage
  const details = { completion_tokens_details: { reasoning_tokens: 7 } }

  it('cross between messages and chat, whole and streamed [msg.res.usage:through]', () => {
    const usage = { input_tokens: 9, output_tokens: 40, output_tokens_details: { thinking_tokens: 30 } }
    const content = [{ type: 'text', text: 'hi' }]
    const inChat = translate(chat, messages, chatBody).response({ content, stop_reason: 'end_turn', usage })
    const expected = { completion_tokens: 40, completion_tokens_details: { reasoning_tokens: 30 } }
    expect(inChat.body['usage']).toMatchObject(expected)
    expect(chatUsage({ input_tokens: 9 }, usage)).toMatchObject(expected)
    const frames = [
      { id: 'c', choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }] },
      { id: 'c', choices: [], usage: { prompt_tokens: 9, total_tokens: 49, ...expected } },
    ]
    expect(finalUsage(play(messages, chat, frames))).toMatchObject(usage)
  })

  it('are part of the output if the total of chat includes them, and beside it otherwise (trap 56)', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 10, ...details }
    expect(counted({ ...usage, total_tokens: 19 })).toMatchObject({ input: 9, output: 10, reasoning: 7 })
    expect(counted({ ...usage, total_tokens: 26 })).toMatchObject({ input: 9, output: 17, reasoning: 7 })
    expect(counted(usage)).toMatchObject({ output: 10, reasoning: 7 })
  })

  it('are beside a count that is less than they are (trap 56)', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4, ...details }
    expect(counted(usage)).toMatchObject({ output: 11, reasoning: 7 })
  })

  it('are found if only the total of chat includes them (trap 56)', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 20 }
    expect(counted(usage)).toMatchObject({ input: 9, output: 11, reasoning: 7 })
  })

  it('are not taken for cached tokens that the prompt leaves out (trap 56)', () => {
    const cached = { prompt_tokens_details: { cached_tokens: 90 } }
    const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 103, ...cached }
    expect(counted(usage)).toMatchObject({ input: 9, output: 4 })
  })

  it('are counted the same in a stream and in a relayed one (trap 56)', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 20, ...details }
    const frames = [
      { id: 'c', choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: null }], usage: { ...usage } },
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { id: 'c', choices: [], usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 21 } },
    ]
    expect(finalUsage(play(messages, chat, frames))).toMatchObject({ output_tokens: 12 })
    const tap = chat.relay.tap({ stream: true })
    tap.push(new TextEncoder().encode(frames.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')))
    expect(tap.end().usage).toMatchObject({ input: 9, output: 12, reasoning: 7 })
  })

  it.each([
    ['beside the candidates', { candidatesTokenCount: 10, thoughtsTokenCount: 7, totalTokenCount: 26 }, 17],
    ['among the candidates', { candidatesTokenCount: 10, thoughtsTokenCount: 7, totalTokenCount: 19 }, 10],
    ['only in the total', { candidatesTokenCount: 10, totalTokenCount: 26 }, 17],
  ])('are counted once if genai has them %s (trap 56)', (_where, counts, output) => {
    const usageMetadata = { promptTokenCount: 9, ...counts }
    const candidates = [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }]
    const { usage } = translate(messages, genai, messagesBody).response({ candidates, usageMetadata })
    expect(usage).toMatchObject({ input: 9, output, reasoning: 7 })
  })
})

describe('cached tokens', () => {
  const answer = {
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
    usage: {
      input_tokens: 10,
      output_tokens: 40,
      cache_read_input_tokens: 900,
      cache_creation_input_tokens: 90,
      cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 30 },
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
      service_tier: 'standard',
    },
  }

  it('separate from the input in messages are part of the prompt in chat, once (trap 17)', () => {
    const { body, losses, usage } = translate(chat, messages, chatBody).response(answer)
    expect(body['usage']).toMatchObject({
      prompt_tokens: 1000,
      completion_tokens: 40,
      total_tokens: 1040,
      prompt_tokens_details: { cached_tokens: 900 },
      server_tool_use: { web_search_requests: 2 },
    })
    expect(usage).toMatchObject({ input: 1000, cacheRead: 900, cacheWrite5m: 60, cacheWrite1h: 30, output: 40 })
    const lost = losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
    expect(lost).toEqual(expect.arrayContaining(['dropped usage.cacheWrite1h', 'dropped usage.fetches']))
  })

  it('inside the prompt of chat are separate from the input in messages (trap 17) [msg.res.usage:through]', () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 40,
      total_tokens: 1040,
      prompt_tokens_details: { cached_tokens: 900 },
      completion_tokens_details: { reasoning_tokens: 30 },
    }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }]
    const { body, losses } = translate(messages, chat, messagesBody).response({ choices, usage })
    const thought = { output_tokens: 40, output_tokens_details: { thinking_tokens: 30 } }
    expect(body['usage']).toEqual({ input_tokens: 100, cache_read_input_tokens: 900, ...thought })
    expect(losses.map(({ path }) => path.join('.'))).not.toContain('usage.reasoning')
    const same = translate(chat, chat, chatBody).response({ choices, usage })
    expect(same.body['usage']).toEqual(usage)
  })

  it('keep every count of a messages upstream for a messages client [msg.res.usage:through]', () => {
    expect(translate(messages, messages, messagesBody).response(answer).body['usage']).toEqual(answer.usage)
  })

  it('are written with their sum [msg.res.usage:through]', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 30 }
    const usage = { input_tokens: 10, output_tokens: 1, cache_creation }
    const { body } = translate(messages, messages, messagesBody).response({ ...answer, usage })
    expect(body['usage']).toMatchObject({ cache_creation_input_tokens: 90, cache_creation })
  })
})
