import { translate, type Feature, type JsonObject, type Protocol, type TranslateOptions } from '@dragoman/core'
import { chat, genai, messages } from '@dragoman/core/protocols'
import { FEATURES, findFeatures, lostFeatures, prepareQuirks, type Quirk } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { ask, PLANTED, PNG, REQUESTS, say, schema } from './planted-features.ts'

/** The features that a request loses on its way. */
function lost(
  caller: Protocol,
  upstream: Protocol,
  body: JsonObject,
  options: TranslateOptions = {},
): readonly Feature[] {
  const match = { model: 'm', stream: false }
  const all = { match, features: findFeatures, ...options }
  return lostFeatures(translate(caller, upstream, caller.request.check(body), all).losses)
}

describe('a feature that does not arrive', () => {
  const cases = PLANTED.flatMap(([feature, caller, body, losers]) =>
    [chat, messages, genai].map((upstream) => ({
      title: `${feature} from ${caller.name} to ${upstream.name}`,
      isLost: losers.includes(upstream),
      isNamed: lost(caller, upstream, body).includes(feature),
    })),
  )
  it.each(cases.filter(({ isLost }) => isLost))('is named: $title', ({ isNamed }) => expect(isNamed).toBe(true))
  it.each(cases.filter(({ isLost }) => !isLost))('is not named if it does: $title', ({ isNamed }) =>
    expect(isNamed).toBe(false),
  )
})

const DROPS: readonly (readonly [at: string, Feature])[] = [
  ['tools', 'tools'],
  ['tools.*', 'tools'],
  ['toolChoice', 'tool-choice'],
  ['output', 'structured-output'],
  ['output.schema', 'structured-output'],
  ['reasoning', 'reasoning'],
  ['settings.temperature', 'sampling'],
  ['settings.stop', 'stop'],
]

describe('a drop of a quirk', () => {
  const upstreams = [chat, messages, genai]
  for (const [caller, body] of REQUESTS) {
    for (const [at, feature] of DROPS) {
      it(`of ${at} loses ${feature} of ${caller.name} toward every upstream`, () => {
        const quirks = prepareQuirks([{ verb: 'drop', at } satisfies Quirk])
        const losers = (quirked: TranslateOptions) =>
          upstreams.filter((upstream) => lost(caller, upstream, body, quirked).includes(feature))
        expect(losers({})).toEqual([])
        expect(losers({ quirks })).toEqual(upstreams)
      })
    }
  }
})

describe('what is given in another form', () => {
  it('is a weaker schema if keywords or choices are left out', () => {
    const extensions = { dialect: { schema: 'openapi' } }
    const tool = (parameters: object) => ask({ tools: [{ type: 'function', function: { name: 'look', parameters } }] })
    const format = (given: object) =>
      ask({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema: given } } })
    const narrow = { ...schema, additionalProperties: { type: 'number' } }
    expect(lost(chat, genai, tool(schema), extensions)).toEqual([])
    expect(lost(chat, genai, tool(narrow), extensions)).toEqual(['tools'])
    expect(lost(chat, genai, format(schema), extensions)).toEqual([])
    expect(lost(chat, genai, format(narrow), extensions)).toEqual(['structured-output'])
    expect(lost(chat, messages, tool({ properties: {} }))).toEqual([])
    expect(lost(chat, messages, tool({ type: 'object', anyOf: [schema, narrow] }))).toEqual(['tools'])
  })

  it('is a grammar if the tool takes any text instead', () => {
    const custom = (format: object) => ask({ tools: [{ type: 'custom', custom: { name: 'look', format } }] })
    const grammar = { type: 'grammar', grammar: { syntax: 'regex', definition: 'a+' } }
    expect(lost(chat, messages, custom({ type: 'text' }))).toEqual([])
    expect(lost(chat, messages, custom(grammar))).toEqual(['structured-output'])
  })

  it('is reasoning that is turned off, and not an effort as a budget', () => {
    expect(lost(chat, messages, ask({ reasoning_effort: 'high', max_completion_tokens: 8000 }))).toEqual([])
    expect(lost(chat, messages, ask({ reasoning_effort: 'high', max_completion_tokens: 10 }))).toEqual(['reasoning'])
    expect(lost(chat, messages, ask({ reasoning_effort: 'none' }))).toEqual([])
  })

  it('is nothing of a document that becomes text, except its images without a place', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }
    const stored = { type: 'image', source: { type: 'file', file_id: 'a' } }
    const document = (...content: object[]) => say({}, [{ type: 'document', source: { type: 'content', content } }])
    const text = { type: 'text', text: 'a' }
    expect(lost(messages, chat, document(text))).toEqual([])
    expect(lost(messages, chat, document(text, image))).toEqual([])
    expect(lost(messages, chat, document(text, image, stored))).toEqual(['images'])
    expect(lost(messages, genai, document(text, image))).toEqual([])
    expect(lost(messages, genai, document(text, image, stored))).toEqual(['images'])
  })

  it('is nothing of a temperature that is clamped, and of a limit that is lowered', () => {
    expect(
      lost(chat, messages, ask({ temperature: 2, max_completion_tokens: 9 }), { limits: { maxTokens: 5 } }),
    ).toEqual([])
    const quirks = prepareQuirks([{ verb: 'drop', at: 'settings.maxTokens' }])
    expect(lost(chat, genai, ask({ max_completion_tokens: 9 }), { quirks })).toEqual(['max-tokens'])
  })

  it('is everything in a message that is dropped', () => {
    const content = [{ type: 'image', source: { type: 'file', file_id: 'a' }, cache_control: { type: 'ephemeral' } }]
    expect(lost(messages, chat, say({}, content))).toEqual(['cache', 'images'])
  })
})

it('an image that is moved out of a turn is not lost with the rest of the turn', () => {
  const drawn = [
    { thought: true, text: 'a', thoughtSignature: 'Yg==' },
    { inlineData: { mimeType: 'image/png', data: PNG } },
  ]
  const user = { role: 'user', parts: [{ text: 'c' }] }
  const body = { contents: [user, { role: 'model', parts: drawn }, user] }
  expect(lost(genai, messages, body)).toEqual(['signatures', 'reasoning'])
})

it('every feature is planted above', () => {
  const planted = new Set<string>(['max-tokens', ...PLANTED.map(([feature]) => feature)])
  expect(FEATURES.filter((feature) => !planted.has(feature))).toEqual([])
})
