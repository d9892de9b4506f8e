import type { Candidate, ModelResponse, StreamEvent, Usage } from '@dragoman/core'
import { plainWords, token, words } from './words.ts'

const HEAD = { id: 'bench_0123456789abcdef0123456789', model: 'bench-model', created: 1_760_000_000 }
const USAGE: Usage = { input: 2140, output: 412, cacheRead: 1024, reasoning: 130 }
const ARGUMENTS = JSON.stringify({ query: words(30), limit: 20, filters: { language: 'en', recent: true } })
const CALL = { type: 'tool-call', id: 'call_0123456789abcdef', name: 'search_documents_0', by: 'client' } as const
const CALLED: Omit<Candidate, 'parts' | 'logprobs'> = { finish: { reason: 'tool-calls' } }

/** Reasoning, text and a call, signed by the given domain. */
export function typicalResponse(issuer: string): ModelResponse {
  return {
    ...HEAD,
    candidates: [
      {
        parts: [
          { type: 'reasoning', text: words(130), seal: { issuer, value: 'c2lnbmF0dXJl'.repeat(20) } },
          { type: 'text', text: words(230) },
          { ...CALL, arguments: ARGUMENTS },
        ],
        ...CALLED,
      },
    ],
    usage: USAGE,
  }
}

/** A mark in the plain response that every translation keeps. */
export const ANSWER_MARK = 'the very answer of the upstream'

/** Only text, of the given number of characters. */
export function plainResponse(size: number): ModelResponse {
  const text = `${ANSWER_MARK} ${plainWords(size)}`.slice(0, size)
  return {
    ...HEAD,
    candidates: [{ parts: [{ type: 'text', text }], finish: { reason: 'stop' } }],
    usage: { input: 40, output: 200 },
  }
}

/** The same as `typicalResponse`, one event per token: a third is reasoning, most is text, the rest is a call. */
export function typicalStream(issuer: string, tokens = 400): StreamEvent[] {
  const thoughts = Math.floor(tokens * 0.3)
  const pieces = Math.floor(tokens * 0.1)
  return [
    { type: 'start', response: HEAD, usage: { input: 2140, cacheRead: 1024 } },
    { type: 'block-start', part: { type: 'reasoning', text: '' } },
    ...deltas(thoughts, token),
    { type: 'block-patch', seal: { issuer, value: 'c2lnbmF0dXJl'.repeat(20) } },
    { type: 'block-end' },
    { type: 'block-start', part: { type: 'text', text: '' } },
    ...deltas(tokens - thoughts - pieces, token),
    { type: 'block-end' },
    { type: 'block-start', part: { ...CALL, arguments: '' } },
    { type: 'block-delta', text: '{"query":"' },
    ...deltas(pieces, token),
    { type: 'block-delta', text: '"}' },
    { type: 'block-end' },
    { type: 'end', candidate: CALLED, usage: USAGE },
  ]
}

function deltas(count: number, text: (index: number) => string): StreamEvent[] {
  return Array.from({ length: count }, (_none, index) => ({ type: 'block-delta', text: text(index) }))
}
