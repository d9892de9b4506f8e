import { describe, expect, it } from 'vitest'
import { DragomanError } from '../../ir/error.ts'
import { createFold } from '../../ir/fold.ts'
import { createLosses } from '../../ir/loss.ts'
import type { Part } from '../../ir/part.ts'
import type { ModelResponse } from '../../ir/response.ts'
import type { JsonObject } from '../../lib/json.ts'
import { chat } from './index.ts'

const whole = (answer: JsonObject, dialect?: JsonObject): ModelResponse =>
  chat.response.decode(answer, { issuer: 'openai', dialect })

function streamed(chunks: readonly object[], dialect?: JsonObject): ModelResponse {
  const fold = createFold()
  const machine = chat.stream.decode((event) => fold.push(event), { issuer: 'openai', dialect })
  for (const chunk of chunks) machine.push(JSON.stringify(chunk))
  machine.end()
  return fold.response()
}

const answerOf = (message: JsonObject, more: JsonObject = {}): JsonObject => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  ...more,
})
const deltas = (...contents: readonly unknown[]) => [
  ...contents.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
const partsOf = (response: ModelResponse) => response.candidates[0]?.parts
const thought = (text: string): Part => ({ type: 'reasoning', text })
const text = (words: string): Part => ({ type: 'text', text: words })

describe('usage of a dialect', () => {
  it.each([
    [
      { reasoning: 'beside' },
      { prompt_tokens: 9, completion_tokens: 4, total_tokens: 20, completion_tokens_details: { reasoning_tokens: 7 } },
      { input: 9, output: 11, reasoning: 7 },
    ],
    [
      { reasoning: 'top' },
      { prompt_tokens: 9, completion_tokens: 4, reasoning_tokens: 2 },
      { input: 9, output: 4, reasoning: 2 },
    ],
    [{ cached: 'hits' }, { prompt_tokens: 9, completion_tokens: 4, hits: 6 }, { input: 9, output: 4, cacheRead: 6 }],
    [
      { cached: 'hits' },
      { prompt_tokens: 9, hits: 6, prompt_tokens_details: { cached_tokens: 5 } },
      { input: 9, cacheRead: 5, extras: { chat: { hits: 6 } } },
    ],
  ])('with %j is converted to the counts of the protocol', (dialect, counted, usage) => {
    expect(whole(answerOf({ content: 'x' }, { usage: counted }), { usage: dialect }).usage).toEqual(usage)
    expect(streamed([...deltas('x'), { choices: [], usage: counted }], { usage: dialect }).usage).toEqual(usage)
  })

  it('is read from the choice, and removed from it', () => {
    const dialect = { usage: { at: 'choice' } }
    const choice = { index: 0, finish_reason: 'stop', usage: { prompt_tokens: 9, completion_tokens: 4 } }
    for (const answer of [
      whole({ choices: [{ ...choice, message: { content: 'x' } }] }, dialect),
      streamed([{ choices: [{ ...choice, delta: { content: 'x' } }] }], dialect),
    ]) {
      expect(answer.usage).toEqual({ input: 9, output: 4 })
      expect(answer.candidates).toEqual([{ parts: [text('x')], finish: { reason: 'stop' } }])
    }
  })
})

describe('reasoning inside the content', () => {
  it('are parts of a list, whole and streamed', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'r' }], closed: true }
    const plain = { type: 'thinking', thinking: 'r' }
    const reference = { type: 'reference', reference_ids: [1] }
    const parts = [thought('r'), text('It '), { type: 'opaque', protocol: 'chat', value: reference }, text('is.')]
    const list = [thinking, { type: 'text', text: 'It ' }, reference, { type: 'text', text: 'is.' }]
    expect(partsOf(whole(answerOf({ content: list })))).toEqual(parts)
    expect(partsOf(streamed(deltas(...list.map((part) => [part]))))).toEqual(parts)
    expect(partsOf(streamed([...deltas([plain]).slice(0, 1), ...deltas('It ', 'is.')]))).toEqual([
      thought('r'),
      text('It is.'),
    ])
  })

  it('is between tags in some dialects, with a cut at any position', () => {
    const content = '<think>Rayleigh?</think>\n\nIt scatters. <think>'
    const parts = [thought('Rayleigh?'), text('It scatters. <think>')]
    expect(partsOf(whole(answerOf({ content }), { think: 'tags' }))).toEqual(parts)
    for (let size = 1; size <= content.length; size++) {
      const pieces = content.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(partsOf(streamed(deltas(...pieces), { think: 'tags' }))).toEqual(parts)
    }
    expect(partsOf(streamed(deltas('<think>', 'r', '</think>')))).toEqual([text('<think>r</think>')])
  })

  it('that was held back is emitted before a call', () => {
    const call = { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }
    const chunks = [
      { choices: [{ index: 0, delta: { content: '<th' } }] },
      { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] },
    ]
    expect(partsOf(streamed(chunks, { think: 'tags' }))).toMatchObject([text('<th'), { type: 'tool-call' }])
  })
})

it('reads the finish reasons of a dialect', () => {
  const dialect = { finish: { sensitive: 'content-filter', odd: 'no reason' } }
  const ended = (finish_reason: string) =>
    streamed([{ choices: [{ index: 0, delta: { content: 'x' }, finish_reason }] }], dialect).candidates[0]?.finish
  expect(ended('sensitive')).toEqual({ reason: 'content-filter' })
  expect(ended('length')).toEqual({ reason: 'length' })
  expect(ended('odd')).toEqual({ reason: 'other', raw: { protocol: 'chat', value: 'odd' } })
})

describe('sources beside the choices', () => {
  const dialect = { citations: 'citations' }
  const sources = {
    citations: ['https://a.example', 'https://b.example'],
    search_results: [{ title: 'A', url: 'https://a.example', date: '2026-01-01' }],
  }
  const citations = [
    {
      source: { kind: 'url', url: 'https://a.example', title: 'A' },
      extras: { chat: { url_citation: { date: '2026-01-01' } } },
    },
    { source: { kind: 'url', url: 'https://b.example' } },
  ]

  it('are citations of the text, emitted once', () => {
    const done = { index: 0, delta: { content: '' }, message: { content: 'x' }, finish_reason: 'stop' }
    const chunks = [
      { choices: [{ index: 0, delta: { content: 'x' } }], citations: ['https://a.example'] },
      { object: 'chat.completion.done', choices: [done], ...sources },
    ]
    const expected = { candidates: [{ parts: [{ ...text('x'), citations }], finish: { reason: 'stop' } }] }
    expect(whole(answerOf({ content: 'x' }, sources), dialect)).toEqual(expected)
    expect(streamed(chunks, dialect)).toEqual(expected)
  })

  it('stay in place without a text', () => {
    const extras = { chat: sources }
    expect(whole(answerOf({ content: null }, sources), dialect).extras).toEqual(extras)
    expect(streamed([...deltas(), { choices: [], ...sources }], dialect).extras).toEqual(extras)
  })
})

describe('errors instead of a response', () => {
  it.each([
    [{ object: 'error', message: 'No.', type: 'BadRequestError', code: 400 }, 'invalid-request'],
    [{ message: 'No.', type: 'too_many_requests_error', param: 'quota', code: 'x' }, 'rate-limit'],
    [{ error: { message: 'No.', type: 'server_error' } }, 'upstream-error'],
    [{ error: 'No.', choices: [] }, 'upstream-error'],
  ] as const)('are errors: %j', (body, kind) => {
    for (const read of [
      () => whole(body),
      () => streamed([body]),
      () => streamed([...deltas('x').slice(0, 1), body]),
    ]) {
      expect(read).toThrow(DragomanError)
      expect(read).toThrow(expect.objectContaining({ kind, message: 'No.' }))
    }
  })
})

describe('reasoning in the history', () => {
  const parts: readonly Part[] = [
    { ...thought('a'), seal: { issuer: 'openai', value: 's' } },
    text('t'),
    thought('b'),
    { type: 'reasoning', text: '', hidden: true, seal: { issuer: 'openai', value: 's' } },
  ]
  const asked = (history: string) => {
    const losses = createLosses()
    const request = { model: 'm', messages: [{ role: 'assistant' as const, parts }], settings: {}, delivery: {} }
    const context = {
      issuer: 'openai',
      dialect: { history },
      losses,
      toward: 'upstream' as const,
      id: () => '',
      now: 0,
    }
    const { messages } = chat.request.encode(request, context)
    return { messages, losses: losses.entries().map(({ kind, path }) => `${kind} ${path.slice(2).join('.')}`) }
  }

  it.each(['reasoning', 'reasoning_content'])('are one plain text under %s', (history) => {
    expect(asked(history)).toEqual({
      messages: [{ role: 'assistant', content: 't', [history]: 'ab' }],
      losses: ['dropped parts.0.seal', 'dropped parts.3', 'merged parts.2'],
    })
  })

  it('are dropped if the upstream accepts none', () => {
    expect(asked('none')).toEqual({
      messages: [{ role: 'assistant', content: 't' }],
      losses: ['dropped parts.0', 'dropped parts.2', 'dropped parts.3'],
    })
  })
})
