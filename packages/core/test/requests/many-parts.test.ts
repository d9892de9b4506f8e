import { describe, expect, it } from 'vitest'
import { createFold } from '../../src/ir/fold.ts'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { protocols } from '../../src/protocols/index.ts'
import { translate, translateResponse } from '../../src/protocols/translate.ts'

/** More than one call can pass on as arguments, such as `push(...list)`: the tests here run with a small stack (vitest.config.ts). */
const MANY = 40_000

function list(item: Json): Json[] {
  return Array.from({ length: MANY }, () => item)
}

const text = { type: 'text', text: 'a' }
const call = { functionCall: { id: 'c', name: 'f', args: {} } }
const image = { inlineData: { mimeType: 'image/png', data: 'aGk=' } }
const user = (parts: Json): JsonObject => ({ role: 'user', parts })

const BODIES: { readonly [protocol: string]: { readonly [what: string]: () => JsonObject } } = {
  chat: {
    'parts of a message': () => ({ model: 'm', messages: [{ role: 'user', content: list(text) }] }),
    'parts of an assistant': () => ({ model: 'm', messages: [{ role: 'assistant', content: list(text) }] }),
  },
  messages: {
    'parts of a message': () => ({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: list(text) }] }),
    instructions: () => ({ model: 'm', max_tokens: 9, system: list(text), messages: [{ role: 'user', content: 'a' }] }),
  },
  genai: {
    'parts of a message': () => ({ contents: [user(list({ text: 'a' }))] }),
    'media of a result': () => ({
      contents: [
        user([{ text: 'a' }]),
        { role: 'model', parts: [call] },
        user([{ functionResponse: { id: 'c', name: 'f', response: {}, parts: list(image) } }]),
      ],
    }),
  },
  responses: {
    'parts of a message': () => ({
      model: 'm',
      input: [{ role: 'user', content: list({ type: 'input_text', text: 'a' }) }],
    }),
    'items of an assistant': () => ({
      model: 'm',
      input: list({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }),
    }),
  },
}

const ANSWERS: { readonly [protocol: string]: () => JsonObject } = {
  chat: () => {
    const annotation = {
      type: 'url_citation',
      url_citation: { url: 'https://a.example', start_index: 0, end_index: 1 },
    }
    return { choices: [{ message: { role: 'assistant', content: 'a', annotations: list(annotation) } }] }
  },
  messages: () => {
    const citation = { type: 'web_search_result_location', url: 'https://a.example', title: 'a', encrypted_index: 'e' }
    return { content: [{ ...text, citations: list(citation) }] }
  },
  genai: () => {
    const citations = list({ uri: 'https://a.example', startIndex: 0, endIndex: 1 })
    return { candidates: [{ content: { role: 'model', parts: [{ text: 'a' }] }, citationMetadata: { citations } }] }
  },
  responses: () => {
    const annotations = list({ type: 'url_citation', url: 'https://a.example', start_index: 0, end_index: 1 })
    return {
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations }] }],
    }
  },
}

describe.each(protocols)('40 000 of something in $name', (from) => {
  it.each(Object.entries(BODIES[from.name] ?? {}))('do not count as nesting: %s', (_what, make) => {
    const dialect = { resultMedia: 'turn', schema: 'openapi' }
    const body = from.request.check(make())
    for (const to of protocols)
      expect(() => translate(from, to, body, { match: { model: 'm' }, dialect })).not.toThrow()
  })

  it('do not count as nesting: citations of a response', () => {
    const answer = ANSWERS[from.name]?.() ?? {}
    for (const to of protocols) expect(() => translateResponse(to, from, answer)).not.toThrow()
  })
})

it('accepts 40 000 scored tokens at once', () => {
  const fold = createFold()
  fold.push({ type: 'start', response: {} })
  fold.push({ type: 'logprobs', tokens: Array.from({ length: MANY }, () => ({ token: 'a', logprob: -1 })) })
  fold.push({ type: 'end', candidate: { finish: { reason: 'stop' } } })
  expect(fold.response().candidates[0]?.logprobs?.tokens).toHaveLength(MANY)
})

it('these are too many for the stack', () => {
  expect(() => Math.max(...Array.from({ length: MANY }, () => 1))).toThrow(RangeError)
})
