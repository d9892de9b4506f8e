import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { chat } from '../../src/protocols/chat/index.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { responses } from '../../src/protocols/responses/index.ts'
import { translateResponse, translateStream } from '../../src/protocols/translate.ts'

const UTF8 = new TextEncoder()
const counted = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }

/** An answer of responses with these items, whole and as a stream. */
function responsesAnswer(items: readonly JsonObject[], more: JsonObject = {}) {
  const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }
  const output = items.map((item, index) => ({ id: `ws_${index}`, status: 'completed', ...item }))
  const whole = { ...head, status: 'completed', output, usage: counted, ...more }
  const stream = [
    { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: whole },
  ]
  return { whole, stream }
}

const search = (query: string) => ({ type: 'web_search_call', action: { type: 'search', query } })
const openPage = { type: 'web_search_call', action: { type: 'open_page', url: 'https://a.example' } }

/** An answer of genai with this grounding, whole and as a stream. */
function genaiAnswer(groundingMetadata: JsonObject) {
  const head = { responseId: 'r', modelVersion: 'm' }
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 }
  const content = { role: 'model', parts: [{ text: 'hi' }] }
  const ending = { index: 0, finishReason: 'STOP', groundingMetadata }
  return {
    whole: { ...head, candidates: [{ content, ...ending }], usageMetadata },
    stream: [
      { ...head, candidates: [{ index: 0, content, groundingMetadata }] },
      { ...head, candidates: [ending], usageMetadata },
    ],
  }
}

/** An answer of chat with this usage, as OpenRouter has it. */
function chatAnswer(usage: JsonObject) {
  const head = { id: 'c', created: 1, model: 'm' }
  const counts = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, ...usage }
  const message = { role: 'assistant', content: 'hi' }
  return {
    whole: {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: counts,
    },
    stream: [
      { ...head, choices: [{ index: 0, delta: message, finish_reason: 'stop' }] },
      { ...head, choices: [], usage: counts },
    ],
  }
}

type Answer = ReturnType<typeof responsesAnswer> | ReturnType<typeof genaiAnswer> | ReturnType<typeof chatAnswer>

function sse(events: readonly JsonObject[]): Uint8Array {
  return UTF8.encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
}

function tapped(protocol: Protocol, stream: boolean, bytes: Uint8Array) {
  const tap = protocol.relay.tap({ stream, usage: true })
  tap.push(bytes)
  return tap.end().usage
}

function streamed(protocol: Protocol, events: readonly JsonObject[]) {
  const stream = translateStream(messages, protocol, () => undefined)
  stream.push(sse(events))
  stream.end()
  return stream.usage
}

describe('searches of an upstream', () => {
  it.each<[string, Protocol, Answer, number | undefined]>([
    ['none', responses, responsesAnswer([]), undefined],
    ['each search, and no page that is opened', responses, responsesAnswer([search('a'), openPage, search('b')]), 2],
    ['calls of upstreams that name no action', responses, responsesAnswer([{ type: 'web_search_call' }]), 1],
    [
      'what OpenAI reports as billable',
      responses,
      responsesAnswer([search('a'), search('b')], { tool_usage: { web_search: { num_requests: 1 } } }),
      1,
    ],
    [
      'none of which is billable',
      responses,
      responsesAnswer([search('a')], { tool_usage: { web_search: { num_requests: 0 } } }),
      0,
    ],
    ['no grounding', genai, genaiAnswer({ webSearchQueries: [] }), undefined],
    ['different queries that are not empty', genai, genaiAnswer({ webSearchQueries: ['a', '', 'b', 'a'] }), 2],
    [
      'of texts and of images',
      genai,
      genaiAnswer({ webSearchQueries: ['a'], imageSearchQueries: ['a', 'b'], retrievalQueries: ['c'] }),
      3,
    ],
    ['not counted', chat, chatAnswer({}), undefined],
    ['as OpenRouter counts them', chat, chatAnswer({ server_tool_use: { web_search_requests: 4 } }), 4],
  ])('$1.name, $0: counted alike, relayed and translated, whole and streamed', (_, protocol, answer, searches) => {
    const usage = { input: 3, output: 2, ...(searches === undefined ? {} : { searches }) }
    expect(translateResponse(messages, protocol, answer.whole).usage).toEqual(usage)
    expect(streamed(protocol, answer.stream)).toEqual(usage)
    expect(tapped(protocol, false, UTF8.encode(JSON.stringify(answer.whole)))).toEqual(usage)
    expect(tapped(protocol, true, sse(answer.stream))).toEqual(usage)
  })

  it('are known of a stream that breaks off before its usage', () => {
    const events = responsesAnswer([search('a'), search('b')]).stream.slice(0, -1)
    expect(streamed(responses, events)).toEqual({ searches: 2 })
    expect(tapped(responses, true, sse(events))).toEqual({ searches: 2 })
  })

  it('are in the usage of messages and chat, and reported where readers find others', () => {
    const { whole } = responsesAnswer([search('a')])
    expect(translateResponse(messages, responses, whole).body).toMatchObject({
      usage: { server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 } },
    })
    expect(translateResponse(chat, responses, whole).body).toMatchObject({
      usage: { server_tool_use: { web_search_requests: 1 } },
    })
    const lost = (caller: Protocol) =>
      translateResponse(caller, chat, chatAnswer({ server_tool_use: { web_search_requests: 4 } }).whole)
        .losses.filter(({ path }) => path.join('.') === 'usage.searches')
        .map(({ kind }) => kind)
    expect([chat, messages, genai, responses].map(lost)).toEqual([[], [], ['dropped'], ['dropped']])
    // Readers find them where the answer shows them.
    const same = [
      translateResponse(responses, responses, whole),
      translateResponse(genai, genai, genaiAnswer({ webSearchQueries: ['a'] }).whole),
    ]
    for (const { losses } of same) expect(losses.map(({ path }) => path.join('.'))).not.toContain('usage.searches')
  })
})
