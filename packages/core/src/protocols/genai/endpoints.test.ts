import { describe, expect, it } from 'vitest'
import { DragomanError } from '../../ir/error.ts'
import type { JsonObject } from '../../lib/json.ts'
import { genai } from './index.ts'

const match = (method: string, path: string, query = '') => genai.http.match(method, path, new URLSearchParams(query))

describe('paths of the genai protocol', () => {
  it.each([
    ['/v1/publishers/google/models/gemini-x', 'google/gemini-x', { withoutPublisher: 'gemini-x' }],
    ['/v1beta/models/google/gemini-x', 'google/gemini-x', {}],
    ['/v1beta1/models/gemini-x', 'gemini-x', {}],
    ['/v1/projects/p/locations/l/publishers/some/models/gpt:4', 'some/gpt:4', {}],
    ['/v1/publishers/a/models/b%2Fc', 'a/b%2Fc', {}],
    ['/v1/publishers/a/models/b/c', 'a/b/c', {}],
    ['/v1alpha/models/gemini-x', 'gemini-x', {}],
    // LiteLLM adds no version to the base that it is given.
    ['/models/google/gemini-x', 'google/gemini-x', {}],
  ])('finds the model of %s: %s', (path, model, more) => {
    const named = { model, ...more }
    expect(match('POST', `${path}:generateContent`)).toEqual({ operation: 'generate', stream: false, ...named })
    expect(match('POST', `${path}:streamGenerateContent`, 'alt=sse')).toEqual({
      operation: 'generate',
      stream: true,
      ...named,
    })
    expect(match('POST', `${path}:streamGenerateContent`)).toEqual({
      operation: 'generate',
      stream: true,
      framing: 'array',
      ...named,
    })
    expect(match('POST', `${path}:countTokens`)).toEqual({ operation: 'count', ...named })
    expect(match('GET', `${path}:generateContent`)).toBe('method')
    expect(match('GET', path)).toEqual({ operation: 'model', ...named })
    expect(match('POST', `${path}:asyncBatchEmbedContent`)).toBeUndefined()
  })

  it.each([
    ['/v1beta/anthropic/claude-x', 'anthropic/claude-x', {}],
    ['/v1beta/house/org/m:1', 'house/org/m:1', {}],
    ['/v1/publishers/house/org/one', 'house/org/one', {}],
    [
      '/v1/publishers/google/anthropic/claude-x',
      'google/anthropic/claude-x',
      { withoutPublisher: 'anthropic/claude-x' },
    ],
    ['/v1/projects/p/locations/l/house/one', 'house/one', {}],
  ])('finds the model of a call without models/ in its path, as clients write it: %s', (path, model, more) => {
    const named = { model, ...more }
    expect(match('POST', `${path}:generateContent`)).toEqual({ operation: 'generate', stream: false, ...named })
    expect(match('POST', `${path}:countTokens`)).toEqual({ operation: 'count', ...named })
    expect(match('GET', `${path}:generateContent`)).toBe('method')
    expect(match('POST', `${path}:asyncBatchEmbedContent`)).toBeUndefined()
    expect(match('GET', path)).toBeUndefined()
    expect(match('POST', path)).toBeUndefined()
  })

  it.each([
    '/v1/models',
    '/v1beta/models',
    '/models',
    '/v1beta1/publishers/google/models',
    '/v1/projects/p/locations/l/publishers/google/models',
  ])('lists models at %s', (path) => {
    expect(match('GET', path)).toEqual({ operation: 'models' })
    expect(match('POST', path)).toBe('method')
  })

  it('matches nothing else', () => {
    for (const path of ['/', '/v2/models', '/v1/publishers/google', '/v1', '/v1/models/', '/v1/cachedContents'])
      expect(match('GET', path)).toBeUndefined()
  })

  it('calls an upstream at the path of its model', () => {
    expect(genai.http.target('generate', 'gemini-x', false).path).toBe('/models/gemini-x:generateContent')
    expect(genai.http.target('generate', 'a/b?c', true).path).toBe('/models/a/b%3Fc:streamGenerateContent?alt=sse')
    expect(genai.http.target('count', 'gemini-x', false).path).toBe('/models/gemini-x:countTokens')
  })

  it('accepts only JSON', () => {
    const head = (type: string | undefined) => ({ method: 'POST', path: '', query: '', header: () => type })
    const admit = (type: string | undefined) => () => genai.http.admit({ operation: 'generate' }, head(type))
    expect(admit('application/json; charset=utf-8')).not.toThrow()
    expect(admit(undefined)).not.toThrow()
    expect(admit('text/plain')).toThrow('content-type')
  })
})

describe('a body that is checked', () => {
  const contents = [{ parts: [{ text: 'a' }] }]
  const config = (generationConfig: JsonObject) => ({ contents, generationConfig })
  const deep = (levels: number): JsonObject =>
    levels === 0 ? { type: 'STRING' } : { type: 'ARRAY', items: deep(levels - 1) }

  it.each<[string, JsonObject, string]>([
    ['no contents', {}, 'contents'],
    ['an empty list of contents', { contents: [] }, 'contents'],
    ['a turn without parts', { contents: [{ parts: [] }] }, 'contents.0.parts'],
    ['a role that is no text', { contents: [{ role: 7, parts: [{ text: 'a' }] }] }, 'contents.0.role'],
    [
      'two kinds of data in a part',
      { contents: [{ parts: [{ text: 'a', inlineData: { mimeType: 'image/png', data: 'A' } }] }] },
      'contents.0.parts.0',
    ],
    [
      'media that is not accepted',
      { contents: [{ parts: [{ inlineData: { mimeType: 'gif', data: 'A' } }] }] },
      'contents.0.parts.0.inlineData.mimeType',
    ],
    ['six stop sequences', config({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] }), 'generationConfig.stopSequences'],
    ['a penalty of 2', config({ presencePenalty: 2 }), 'generationConfig.presencePenalty'],
    ['a penalty below -2', config({ frequencyPenalty: -2.1 }), 'generationConfig.frequencyPenalty'],
    ['topP above 1', config({ topP: 1.1 }), 'generationConfig.topP'],
    ['a schema for plain text', config({ responseSchema: { type: 'STRING' } }), 'generationConfig.responseSchema'],
    [
      'a standard schema without JSON',
      config({ responseJsonSchema: {}, responseMimeType: 'text/x.enum' }),
      'generationConfig.responseJsonSchema',
    ],
    [
      'both kinds of schema',
      config({ responseJsonSchema: {}, responseSchema: {}, responseMimeType: 'application/json' }),
      'generationConfig.responseJsonSchema',
    ],
    ['logprobs that are not wanted', config({ logprobs: 3 }), 'generationConfig.logprobs'],
    ['21 logprobs', config({ responseLogprobs: true, logprobs: 21 }), 'generationConfig.logprobs'],
    [
      'a budget and a level',
      config({ thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } }),
      'generationConfig.thinkingConfig.thinkingLevel',
    ],
    [
      'one voice and several',
      config({ speechConfig: { voiceConfig: {}, multiSpeakerVoiceConfig: {} } }),
      'generationConfig.speechConfig.multiSpeakerVoiceConfig',
    ],
    [
      'two modes of routing',
      config({ routingConfig: { autoMode: {}, manualMode: {} } }),
      'generationConfig.routingConfig.manualMode',
    ],
    [
      'a threshold that is no text',
      { contents, safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 0 }] },
      'safetySettings.0.threshold',
    ],
    [
      'a schema that is too deep',
      config({ responseMimeType: 'application/json', responseSchema: deep(200) }),
      'generationConfig.responseSchema',
    ],
    [
      'a schema that refers to itself',
      config({
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: { next: { $ref: '#' } } },
      }),
      'generationConfig.responseSchema',
    ],
    [
      'parameters that are too deep',
      { contents, tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: deep(200) }] }] },
      'tools.0.functionDeclarations.0.parametersJsonSchema',
    ],
  ])('refuses %s, and names the path', (_what, body, param) => {
    const wrong = caught(() => genai.request.check(body))
    expect(wrong).toMatchObject({ kind: 'invalid-request', param })
    expect(genai.error.encode(wrong, 'r')).toMatchObject({
      status: 400,
      body: { error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(param) as string } },
    })
  })

  it('is accepted with unknown members', () => {
    expect(
      genai.request.check({ contents: [{ parts: [{ x_new: 1 }], x_b: 2 }], x_c: 3, generationConfig: { x_d: 4 } }),
    ).toMatchObject({ x_c: 3 })
  })
})

describe('an error', () => {
  it.each([
    ['authentication', 401, 'UNAUTHENTICATED'],
    ['permission', 403, 'PERMISSION_DENIED'],
    ['not-found', 404, 'NOT_FOUND'],
    ['rate-limit', 429, 'RESOURCE_EXHAUSTED'],
    ['budget', 402, 'RESOURCE_EXHAUSTED'],
    ['internal', 500, 'INTERNAL'],
    ['unavailable', 503, 'UNAVAILABLE'],
    ['timeout', 504, 'DEADLINE_EXCEEDED'],
    ['upstream', 502, 'INTERNAL'],
    ['upstream-error', 500, 'INTERNAL'],
    ['upstream-overloaded', 529, 'UNAVAILABLE'],
  ] as const)('%s has the status %i %s', (kind, status, word) => {
    expect(genai.error.encode(new DragomanError(kind, 'so'), 'r')).toEqual({
      status,
      body: { error: { code: status, message: 'so', status: word } },
    })
  })

  it('names the field, a code and the retry delay', () => {
    const { body } = genai.error.encode(
      new DragomanError('rate-limit', 'so', { param: 'contents', code: 'slow', retryAfter: 7 }),
      'r',
    )
    expect((body['error'] as JsonObject)['details']).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'contents', description: 'so' }],
      },
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'slow', domain: 'dragoman' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' },
    ])
  })

  it('of an upstream keeps its message, kind and delay, also in a list', () => {
    const body = {
      error: {
        code: 429,
        message: 'slow',
        status: 'RESOURCE_EXHAUSTED',
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }],
      },
    }
    for (const text of [JSON.stringify(body), JSON.stringify([body])]) {
      expect(genai.error.decode(429, text)).toMatchObject({
        kind: 'rate-limit',
        message: 'slow',
        code: 'RESOURCE_EXHAUSTED',
        retryAfter: 35,
      })
    }
    expect(genai.error.decode(503, '<html>')).toMatchObject({
      kind: 'unavailable',
      message: 'The upstream answered with status 503.',
    })
  })
})

describe('models', () => {
  const entry = (name: string) =>
    ({
      id: `some/${name}`,
      provider: 'some',
      card: {
        name,
        input: ['text', 'image'],
        output: ['text'],
        context: 1000,
        maxOutput: 100,
        reasoning: {},
        prices: { prompt: [{ value: 1, unit: 'perMTokens', currency: 'USD' }] },
      },
    }) as const

  it('are shown with the fields of the specification', () => {
    expect(genai.models.one(entry('a'))).toEqual({
      name: 'some/a',
      displayName: 'a',
      description: 'a',
      inputTokenLimit: 1000,
      outputTokenLimit: 100,
      thinking: true,
      inputModalities: ['text', 'image'],
      outputModalities: ['text'],
      pricings: { prompt: [{ value: 1, unit: 'perMTokens', currency: 'USD' }] },
    })
  })

  it('are paged as the official client requests', () => {
    const entries = ['a', 'b', 'c'].map(entry)
    const names = (query: string) => {
      const { models, nextPageToken } = genai.models.list(entries, new URLSearchParams(query)) as {
        models: { name: string }[]
        nextPageToken?: string
      }
      return [models.map(({ name }) => name), nextPageToken]
    }
    expect(names('')).toEqual([['some/a', 'some/b', 'some/c'], undefined])
    expect(names('pageSize=2')).toEqual([['some/a', 'some/b'], '2'])
    expect(names('pageSize=2&pageToken=2')).toEqual([['some/c'], undefined])
    expect(() => names('pageToken=x')).toThrow('pageToken')
  })
})

describe('a relayed call', () => {
  it('has its model and its stream in the path, and nothing to edit', () => {
    expect(genai.relay.peek({ contents: [] }, { operation: 'generate', model: 'a/b', stream: true })).toEqual({
      model: 'a/b',
      stream: true,
    })
    expect(genai.relay.edits({}, 'other')).toEqual({})
    expect(genai.relay.obstacle({ generationConfig: { maxOutputTokens: 9 } }, { maxTokens: 8 })).toContain(
      'maxOutputTokens',
    )
  })

  it('fails with the error of its upstream', () => {
    const tap = genai.relay.tap({ stream: true })
    tap.push(new TextEncoder().encode('data: {"error":{"code":429,"message":"slow"}}\n\n'))
    expect(tap.failed).toMatchObject({ kind: 'rate-limit', message: 'slow' })
    expect(tap.end().complete).toBe(false)
  })

  it.each<[string, JsonObject, boolean]>([
    ['a reason to end', { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 2 } }, true],
    ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 2 } }, true],
    ['an empty reason', { candidates: [{ finishReason: '' }], usageMetadata: { promptTokenCount: 2 } }, false],
  ])('is complete after %s', (_what, chunk, complete) => {
    const tap = genai.relay.tap({ stream: true })
    tap.push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`))
    expect(tap.end()).toMatchObject({ complete, usage: { input: 2 } })
  })
})

function caught(run: () => unknown): DragomanError {
  try {
    run()
  } catch (error) {
    if (error instanceof DragomanError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
