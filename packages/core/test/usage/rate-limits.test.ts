import { describe, expect, it } from 'vitest'
import { chat } from '../../src/protocols/chat/index.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import { responses } from '../../src/protocols/responses/index.ts'

const requests = { limit: 60, remaining: 59, resetMs: 1000 }
const tokens = { limit: 150_000, remaining: 149_984, resetMs: 360_000 }

describe('what is left of the limits of a key', () => {
  // The example of OpenAI's reference of headers.
  it.each([chat, responses])('has the headers of OpenAI in $name', ({ http }) => {
    expect(http.rateLimits?.({ requests, tokens }, 0)).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-reset-tokens': '6m0s',
    })
  })

  it.each([
    [0, '0ms'],
    [120, '120ms'],
    [1500, '1.5s'],
    [61_250, '1m1.25s'],
  ])('has a duration of %i ms as %s in chat', (resetMs, text) => {
    const headers = chat.http.rateLimits?.({ requests: { ...requests, resetMs } }, 0)
    expect(headers?.['x-ratelimit-reset-requests']).toBe(text)
  })

  it('has the headers of Anthropic in messages, with times of RFC 3339', () => {
    const now = Date.UTC(2026, 0, 31, 23, 59, 59, 500)
    expect(messages.http.rateLimits?.({ requests, tokens }, now)).toEqual({
      'anthropic-ratelimit-requests-limit': '60',
      'anthropic-ratelimit-requests-remaining': '59',
      'anthropic-ratelimit-requests-reset': '2026-02-01T00:00:01Z',
      'anthropic-ratelimit-tokens-limit': '150000',
      'anthropic-ratelimit-tokens-remaining': '149984',
      'anthropic-ratelimit-tokens-reset': '2026-02-01T00:06:00Z',
    })
  })

  it('is not in headers of Google, which sends none', () => {
    expect(genai.http).not.toHaveProperty('rateLimits')
  })

  it('names only limits that there are', () => {
    expect(Object.keys(messages.http.rateLimits?.({ tokens }, 0) ?? {})).toHaveLength(3)
    expect(chat.http.rateLimits?.({}, 0)).toEqual({})
  })
})

describe('the limit of an answer', () => {
  it.each([
    [chat, { max_completion_tokens: 50, max_tokens: 10 }, 50],
    [chat, { max_tokens: 10, n: 3 }, 30],
    [chat, {}, undefined],
    [messages, { max_tokens: 7 }, 7],
    [responses, { max_output_tokens: 9 }, 9],
    [genai, { generationConfig: { maxOutputTokens: 8, candidateCount: 2 } }, 16],
    [genai, { generationConfig: null }, undefined],
  ])('is known before a request is decoded: $1', ({ relay }, body, maxTokens) => {
    expect(relay.peek(body, { operation: 'generate' }).maxTokens).toBe(maxTokens)
  })
})
