import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../lib/json.ts'
import { chat } from '../chat/index.ts'
import { messages } from '../messages/index.ts'
import { translate } from '../translate.ts'
import { genai } from './index.ts'

const hello = { role: 'user', content: 'hello' }
const toChat = translate(chat, genai, { model: 'm', messages: [hello] }, { now: 5, id: () => 'x' })
const toMessages = translate(messages, genai, { model: 'm', max_tokens: 9, messages: [hello] }, { id: () => 'x' })
const HEAD = { createTime: '1970-01-01T00:00:05Z', responseId: 'x' }
const toGenai = translate(genai, genai, { contents: [{ parts: [{ text: 'hello' }] }] }, { now: 5, id: () => 'x' })

const candidate = (members: JsonObject = {}) => ({
  content: { role: 'model', parts: [{ text: 'yes' }] },
  finishReason: 'STOP',
  index: 0,
  ...members,
})
const lost = ({ losses }: { losses: readonly { kind: string; path: readonly (string | number)[] }[] }) =>
  losses.filter(({ kind }) => kind !== 'added').map(({ kind, path }) => `${kind} ${path.join('.')}`)

describe('a response of a genai upstream', () => {
  it('is translated to every protocol, and unchanged in its own [genai.res.candidates:through]', () => {
    const answer = {
      candidates: [
        candidate({
          safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW', blocked: false }],
          avgLogprobs: -0.5,
        }),
      ],
    }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    expect(toChat.response(answer).body['choices']).toMatchObject([
      { index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' },
    ])
    expect(toMessages.response(answer).body).toMatchObject({
      content: [{ type: 'text', text: 'yes' }],
      stop_reason: 'end_turn',
    })
    expect(lost(toChat.response(answer))).toContain('dropped candidates.0.safety')
  })

  it('keeps several candidates if supported [genai.res.candidates:through]', () => {
    const answer = {
      candidates: [candidate(), candidate({ content: { role: 'model', parts: [{ text: 'no' }] }, index: 1 })],
    }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    expect(toChat.response(answer).body['choices']).toMatchObject([
      { message: { content: 'yes' } },
      { index: 1, message: { content: 'no' } },
    ])
    expect(lost(toMessages.response(answer))).toEqual(['dropped candidates.1'])
  })

  it('keeps log probabilities [genai.res.candidates:through]', () => {
    const logprobsResult = {
      chosenCandidates: [{ token: 'yes', tokenId: 7, logProbability: -0.1 }],
      topCandidates: [{ candidates: [{ token: 'no', tokenId: 8, logProbability: -3 }] }],
    }
    const answer = { candidates: [candidate({ avgLogprobs: -0.1, logprobsResult })] }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    expect(toChat.response(answer).body['choices']).toMatchObject([
      { logprobs: { content: [{ token: 'yes', logprob: -0.1, top_logprobs: [{ token: 'no', logprob: -3 }] }] } },
    ])
    expect(lost(toChat.response(answer))).toEqual([
      'dropped candidates.0.logprobs.average',
      'dropped candidates.0.logprobs.tokens.0.extras.genai.tokenId',
      'dropped candidates.0.logprobs.tokens.0.top.0.extras.genai.tokenId',
    ])
    expect(lost(toMessages.response(answer))).toEqual(['dropped candidates.0.logprobs'])
  })

  it.each([
    ['STOP', 'stop', 'end_turn', 'STOP'],
    ['FINISH_REASON_STOP', 'stop', 'end_turn', 'STOP'],
    ['MAX_TOKENS', 'length', 'max_tokens', 'MAX_TOKENS'],
    ['FINISH_REASON_MAX_TOKENS', 'length', 'max_tokens', 'MAX_TOKENS'],
    ['SAFETY', 'content_filter', 'refusal', 'SAFETY'],
    ['FINISH_REASON_RECITATION', 'content_filter', 'refusal', 'RECITATION'],
    ['BLOCKLIST', 'content_filter', 'refusal', 'BLOCKLIST'],
    ['PROHIBITED_CONTENT', 'content_filter', 'refusal', 'PROHIBITED_CONTENT'],
    ['IMAGE_PROHIBITED_CONTENT', 'content_filter', 'refusal', 'IMAGE_PROHIBITED_CONTENT'],
    ['SPII', 'content_filter', 'refusal', 'SPII'],
    ['NO_IMAGE', 'stop', 'end_turn', 'NO_IMAGE'],
    ['MALFORMED_FUNCTION_CALL', 'stop', 'end_turn', 'MALFORMED_FUNCTION_CALL'],
    ['OTHER', 'stop', 'end_turn', 'OTHER'],
    ['FINISH_REASON_UNSPECIFIED', 'stop', 'end_turn', 'FINISH_REASON_UNSPECIFIED'],
    ['A_LATER_WORD', 'stop', 'end_turn', 'A_LATER_WORD'],
  ])(
    'that ends with %s ends as %s, as %s and as %s [genai.res.finishReason:through]',
    (finishReason, inChat, inMessages, here) => {
      const answer = { candidates: [candidate({ finishReason })] }
      expect(toChat.response(answer).body['choices']).toMatchObject([{ finish_reason: inChat }])
      expect(toMessages.response(answer).body['stop_reason']).toBe(inMessages)
      expect(toGenai.response(answer).body['candidates']).toMatchObject([{ finishReason: here }])
    },
  )

  it.each([
    ['STOP', 'tool_calls', 'tool_use'],
    ['MAX_TOKENS', 'length', 'max_tokens'],
    ['SAFETY', 'content_filter', 'refusal'],
  ])(
    'that calls a function and ends with %s ends as %s and %s (traps 18 and 19)',
    (finishReason, inChat, inMessages) => {
      const answer = {
        candidates: [candidate({ content: { parts: [{ functionCall: { name: 'f', args: {} } }] }, finishReason })],
      }
      expect(toChat.response(answer).body['choices']).toMatchObject([{ finish_reason: inChat }])
      expect(toMessages.response(answer).body['stop_reason']).toBe(inMessages)
      expect(toGenai.response(answer).body['candidates']).toMatchObject([{ finishReason }])
    },
  )

  it('cites in bytes in genai and in characters in others [genai.res.citations:through] (trap 27)', () => {
    const citation = {
      startIndex: 6,
      endIndex: 13,
      uri: 'https://a.example/',
      title: 'A',
      license: 'mit',
      publicationDate: { year: 2024, month: 1, day: 2 },
    }
    const second = { startIndex: 20, endIndex: 23, uri: 'https://b.example/' }
    const parts = [{ text: 'né 日本 👍' }, { text: 'thinking', thought: true }, { text: 'second' }]
    const answer = {
      candidates: [
        candidate({
          content: { role: 'model', parts },
          citationMetadata: {
            citations: [
              { ...citation, startIndex: 4, endIndex: 10 },
              { ...second, startIndex: 15, endIndex: 18 },
            ],
          },
        }),
      ],
    }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    const there = toChat.response(answer)
    expect(there.body['choices']).toMatchObject([
      {
        message: {
          annotations: [
            { url_citation: { url: 'https://a.example/', title: 'A', start_index: 3, end_index: 5 } },
            { url_citation: { url: 'https://b.example/' } },
          ],
        },
      },
    ])
    expect(lost(there)).toEqual(
      expect.arrayContaining([
        'dropped candidates.0.parts.0.citations.0.source.license',
        'dropped candidates.0.parts.0.citations.0.source.date',
      ]),
    )
  })

  it('keeps citations whole if their positions are outside the text [genai.res.citations:through]', () => {
    const answer = {
      candidates: [
        candidate({
          content: { role: 'model', parts: [{ text: 'é' }] },
          citationMetadata: { citations: [{ startIndex: 1, endIndex: 2, uri: 'u' }] },
        }),
      ],
    }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    expect(lost(toChat.response(answer))).toEqual(['dropped candidates.0.extras.genai.citationMetadata.citations'])
  })

  it('keeps grounding and URL context for genai [genai.res.grounding:through]', () => {
    const answer = {
      candidates: [
        candidate({
          groundingMetadata: { webSearchQueries: ['q'], searchEntryPoint: { renderedContent: 'c' } },
          urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'u', urlRetrievalStatus: 'OK' }] },
        }),
      ],
    }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    expect(lost(toChat.response(answer))).toEqual(
      expect.arrayContaining([
        'dropped candidates.0.grounding',
        'dropped candidates.0.extras.genai.urlContextMetadata.urlMetadata',
      ]),
    )
  })

  it('has the same counts in all three protocols [genai.res.usage:through] (trap 17)', () => {
    const usageMetadata = {
      promptTokenCount: 100,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      toolUsePromptTokenCount: 7,
      cachedContentTokenCount: 40,
      totalTokenCount: 157,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 90 },
        { modality: 'IMAGE', tokenCount: 10 },
      ],
      trafficType: 'ON_DEMAND',
    }
    const answer = { candidates: [candidate()], usageMetadata }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    expect(toChat.response(answer).body['usage']).toEqual({
      prompt_tokens: 107,
      completion_tokens: 50,
      total_tokens: 157,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 30 },
    })
    expect(toMessages.response(answer).body['usage']).toMatchObject({
      input_tokens: 67,
      cache_read_input_tokens: 40,
      output_tokens: 50,
    })
  })

  it('has its model, its time and its id [genai.res.meta:through]', () => {
    const answer = {
      candidates: [candidate()],
      modelVersion: 'gemini-x',
      createTime: '2026-01-02T03:04:05Z',
      responseId: 'r1',
    }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    expect(toChat.response(answer).body).toMatchObject({ model: 'gemini-x', created: 1_767_323_045, id: 'r1' })
    expect(toMessages.response(answer).body).toMatchObject({ model: 'gemini-x', id: 'r1' })
    const exact = { ...answer, createTime: '2026-01-02T04:04:05.123456+01:00' }
    expect(toGenai.response(exact).body).toEqual({ ...HEAD, ...exact })
    const { body, losses } = toChat.response(exact)
    expect(body).toMatchObject({ created: 1_767_323_045 })
    expect(losses).toContainEqual(expect.objectContaining({ kind: 'dropped', path: ['extras', 'genai', 'createTime'] }))
  })

  it('that was blocked has no candidate in genai and is a refusal in others [genai.res.promptFeedback:through]', () => {
    const answer = {
      promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'no', safetyRatings: [{ category: 'c' }] },
      usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
    }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    expect(toChat.response(answer).body['choices']).toMatchObject([
      { finish_reason: 'content_filter', message: { content: null } },
    ])
    expect(toMessages.response(answer).body).toMatchObject({ content: [], stop_reason: 'refusal' })
    expect(lost(toChat.response(answer))).toEqual(['dropped blocked'])
  })

  it('gives a client media with its name, and reasoning as reasoning [genai.part.inlineData:through] [genai.part.thought:through]', () => {
    const parts = [
      { text: 'hm', thought: true },
      { inlineData: { mimeType: 'image/tiff', data: 'AAAA', displayName: 'a' }, thoughtSignature: 'c2ln' },
    ]
    const answer = { candidates: [candidate({ content: { role: 'model', parts } })] }
    expect(toGenai.response(answer).body).toEqual({ ...HEAD, ...answer })
    expect(toChat.response(answer).body['choices']).toMatchObject([
      { message: { reasoning: 'hm', reasoning_content: 'hm' } },
    ])
    expect(toMessages.response(answer).body['content']).toMatchObject([{ type: 'thinking', thinking: 'hm' }])
  })
})

describe('a response for a genai client', () => {
  it('has no empty part, whatever the upstream sent', () => {
    const { body } = translate(genai, chat, { contents: [{ parts: [{ text: 'a' }] }] }, { model: 'm' }).response({
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
    })
    expect(body['candidates']).toEqual([{ content: { role: 'model' }, finishReason: 'STOP', index: 0 }])
  })

  it('has the content of a messages upstream, thinking first, with everything needed to send it back', () => {
    const { body, losses } = translate(
      genai,
      messages,
      { contents: [{ parts: [{ text: 'a' }] }] },
      { model: 'm', answerModel: 'some/model', now: 5 },
    ).response({
      id: 'msg_1',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'yes' },
        { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 9 },
    })
    expect(body).toEqual({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'hm', thought: true },
              { text: 'yes' },
              { functionCall: { id: 't1', name: 'f', args: { a: 1 } }, thoughtSignature: expect.any(String) as string },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 9, totalTokenCount: 16, cachedContentTokenCount: 2 },
      modelVersion: 'some/model',
      createTime: '1970-01-01T00:00:05Z',
      responseId: 'msg_1',
    })
    expect(losses).toMatchObject([{ kind: 'added', path: ['created'] }])
  })
})
