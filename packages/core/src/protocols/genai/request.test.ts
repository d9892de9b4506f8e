import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../../test/untyped.ts'
import type { Json, JsonObject } from '../../lib/json.ts'
import { translate, type TranslateOptions, type Translation } from '../translate.ts'

const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]

interface Asked {
  readonly toChat: Translation
  readonly toMessages: Translation
  readonly toGenai: Translation
}

function ask(members: JsonObject, options: TranslateOptions = {}): Asked {
  const body = genai.request.check({ contents, ...members })
  const to = (protocol: typeof chat) => translate(genai, protocol, body, { model: 'm', ...options })
  return { toChat: to(chat), toMessages: to(messages), toGenai: to(genai) }
}
const config = (members: JsonObject, options: TranslateOptions = {}) => ask({ generationConfig: members }, options)
const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
/** What is lost; a default that is needed is no loss. */
const lost = (translation: Translation): string[] => reported(translation).filter((entry) => !entry.startsWith('added'))

describe('a translated genai setting', () => {
  it.each<[string, number, string | undefined, string | undefined, string]>([
    ['temperature', 0, 'temperature', 'temperature', '[genai.gen.temperature:through]'],
    ['topP', 0.5, 'top_p', 'top_p', '[genai.gen.topP:through]'],
    ['maxOutputTokens', 900, 'max_completion_tokens', 'max_tokens', '[genai.gen.maxOutputTokens:through]'],
    ['topK', 7, undefined, 'top_k', '[genai.gen.topK:through]'],
    ['presencePenalty', -2, 'presence_penalty', undefined, '[genai.gen.presencePenalty:through]'],
    ['frequencyPenalty', 1.5, 'frequency_penalty', undefined, '[genai.gen.frequencyPenalty:through]'],
    ['seed', 0, 'seed', undefined, '[genai.gen.seed:through]'],
  ])(
    'reaches each upstream that has %s, and is reported for the others: %j',
    (member, value, inChat, inMessages, _row) => {
      const { toChat, toMessages, toGenai } = config({ [member]: value })
      expect(toGenai.body['generationConfig']).toEqual({ [member]: value })
      expect(reported(toGenai)).toEqual([])
      for (const [to, name] of [
        [toChat, inChat],
        [toMessages, inMessages],
      ] as const) {
        expect(name === undefined ? lost(to).length : to.body[name]).toBe(name === undefined ? 1 : value)
        expect(lost(to)).toHaveLength(name === undefined ? 1 : 0)
      }
    },
  )

  it('requests several candidates from genai and reports them for others [genai.gen.candidateCount:through]', () => {
    const { toMessages, toGenai } = config({ candidateCount: 3 })
    expect(toGenai.body['generationConfig']).toEqual({ candidateCount: 3 })
    expect(lost(toMessages)).toEqual(['dropped settings.candidates'])
    const streamed = translate(
      genai,
      genai,
      { contents, generationConfig: { candidateCount: 3 } },
      { match: { stream: true } },
    )
    expect(streamed.body['generationConfig']).toBeUndefined()
    expect(reported(streamed)).toContain('dropped settings.candidates')
  })

  it('keeps five stop sequences, and as many as fit for others [genai.gen.stopSequences:through]', () => {
    const stopSequences = ['a', 'b', 'c', 'd', 'e']
    const { toChat, toMessages, toGenai } = config({ stopSequences })
    expect(toGenai.body['generationConfig']).toEqual({ stopSequences })
    expect(toMessages.body['stop_sequences']).toEqual(stopSequences)
    expect(toChat.body['stop']).toEqual(['a', 'b', 'c', 'd'])
    expect(lost(toChat)).toEqual(['dropped settings.stop.4'])
    const six = translate(messages, genai, {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'a' }],
      stop_sequences: [...stopSequences, 'f'],
    })
    expect(six.body['generationConfig']).toMatchObject({ stopSequences })
    expect(reported(six)).toEqual(['dropped settings.stop.5'])
  })

  it('requests log probabilities [genai.gen.responseLogprobs:through]', () => {
    const { toChat, toMessages, toGenai } = config({ responseLogprobs: true, logprobs: 3 })
    expect(toGenai.body['generationConfig']).toEqual({ responseLogprobs: true, logprobs: 3 })
    expect(toChat.body).toMatchObject({ logprobs: true, top_logprobs: 3 })
    expect(lost(toMessages)).toEqual(['dropped settings.logprobs'])
    expect(config({ responseLogprobs: true }).toChat.body).toMatchObject({ logprobs: true })
  })

  it('requests JSON, an enum or text [genai.gen.responseMimeType:through]', () => {
    const { toChat, toMessages, toGenai } = config({ responseMimeType: 'application/json' })
    expect(toGenai.body['generationConfig']).toEqual({ responseMimeType: 'application/json' })
    expect(toChat.body['response_format']).toEqual({ type: 'json_object' })
    expect(lost(toMessages)).toEqual(['dropped output.format'])
    const listed = config({ responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a'] } })
    expect(listed.toGenai.body['generationConfig']).toEqual({
      responseMimeType: 'text/x.enum',
      responseSchema: { type: 'STRING', enum: ['a'] },
    })
    expect(lost(listed.toChat)).toEqual(['dropped output.schema', 'dropped output.format'])
    expect(reported(config({ responseMimeType: 'text/plain' }).toGenai)).toEqual([])
  })

  it('converts an OpenAPI schema for others, with property names kept [genai.gen.responseSchema:through]', () => {
    const responseSchema = {
      type: 'OBJECT',
      properties: {
        min_items: { type: 'STRING', nullable: true },
        list: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
      },
      required: ['min_items'],
      propertyOrdering: ['list'],
    }
    const { toChat, toMessages, toGenai } = config({ responseMimeType: 'application/json', responseSchema })
    expect(toGenai.body['generationConfig']).toEqual({ responseMimeType: 'application/json', responseSchema })
    expect(reported(toGenai)).toEqual([])
    const standard = {
      type: 'object',
      required: ['min_items'],
      properties: {
        min_items: { type: ['string', 'null'] },
        list: { type: 'array', items: { type: 'integer' }, minItems: 1 },
      },
    }
    expect(toChat.body['response_format']).toMatchObject({ json_schema: { schema: standard } })
    expect(toMessages.body['output_config']).toEqual({ format: { type: 'json_schema', schema: standard } })
    expect(lost(toChat)).toEqual(['changed output.schema'])
  })

  it('forwards a standard schema unchanged [genai.gen.responseJsonSchema:through]', () => {
    const responseJsonSchema = {
      type: 'object',
      properties: { a_b: { $ref: '#/$defs/x' } },
      $defs: { x: { const: 1 } },
    }
    const { toChat, toMessages, toGenai } = config({ responseMimeType: 'application/json', responseJsonSchema })
    expect(toGenai.body['generationConfig']).toEqual({ responseMimeType: 'application/json', responseJsonSchema })
    expect(toChat.body['response_format']).toMatchObject({ json_schema: { schema: responseJsonSchema } })
    expect(toMessages.body['output_config']).toMatchObject({ format: { schema: responseJsonSchema } })
    for (const to of [toChat, toMessages, toGenai]) expect(lost(to)).toEqual([])
  })

  it('reduces it for an upstream with only the subset, and reports the losses [genai.gen.responseJsonSchema:through]', () => {
    const responseJsonSchema = {
      type: 'object',
      properties: { n: { type: 'integer', exclusiveMinimum: 0, multipleOf: 5 } },
    }
    const { toGenai } = config(
      { responseMimeType: 'application/json', responseJsonSchema },
      { dialect: { schema: 'openapi' } },
    )
    expect(toGenai.body['generationConfig']).toEqual({
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { n: { type: 'INTEGER', minimum: 1 } } },
    })
    expect(toGenai.losses[0]?.reason).toContain('without properties.n.multipleOf')
  })

  it('asks for text with images, also if its caller asks for images alone [genai.gen.responseModalities:through]', () => {
    const asked = { contents: [{ parts: [{ text: 'Draw.' }] }], generationConfig: { responseModalities: ['IMAGE'] } }
    const { body } = translate(genai, genai, genai.request.check(asked), { match: { model: 'm' } })
    expect(body['generationConfig']).toEqual({ responseModalities: ['TEXT', 'IMAGE'] })
  })

  it.each<[string, Json, string, string]>([
    ['responseModalities', ['TEXT', 'IMAGE'], 'output.modalities', '[genai.gen.responseModalities:through]'],
    [
      'speechConfig',
      { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      'output.speech',
      '[genai.gen.speechConfig:through]',
    ],
    ['imageConfig', { aspectRatio: '16:9', imageSize: '2K' }, 'output.image', '[genai.gen.imageConfig:through]'],
    ['audioTimestamp', false, 'extras.genai.generationConfig.audioTimestamp', '[genai.gen.audioTimestamp:through]'],
    [
      'mediaResolution',
      'MEDIA_RESOLUTION_LOW',
      'extras.genai.generationConfig.mediaResolution',
      '[genai.gen.mediaResolution:through]',
    ],
    [
      'enableAffectiveDialog',
      true,
      'extras.genai.generationConfig.enableAffectiveDialog',
      '[genai.gen.enableAffectiveDialog:through]',
    ],
  ])('keeps %s %j for genai and reports it as %s for others %s', (member, value, path, _row) => {
    const { toChat, toMessages, toGenai } = config({ [member]: value })
    expect(toGenai.body['generationConfig']).toEqual({ [member]: value })
    expect(reported(toGenai)).toEqual([])
    for (const to of [toChat, toMessages]) expect(lost(to)).toEqual([`dropped ${path}`])
  })
})

describe('reasoning options', () => {
  const thinking = (thinkingConfig: JsonObject, options: TranslateOptions = {}) =>
    config({ maxOutputTokens: 20_000, thinkingConfig }, options)

  it.each([
    [
      { thinkingBudget: 4096, includeThoughts: true },
      { type: 'enabled', budget_tokens: 4096, display: 'summarized' },
    ],
    [{ thinkingBudget: 0 }, { type: 'disabled' }],
    [{ thinkingBudget: -1 }, { type: 'adaptive' }],
    [{ thinkingLevel: 'HIGH' }, { type: 'enabled', budget_tokens: 10_240 }],
  ])('is %j here and %j in messages [genai.gen.thinkingConfig:through]', (options, there) => {
    const { toMessages, toGenai } = thinking(options)
    expect(toMessages.body['thinking']).toEqual(there)
    expect(toGenai.body['generationConfig']).toMatchObject({ thinkingConfig: options })
    expect(reported(toGenai)).toEqual([])
  })

  it('is an effort or a budget in chat [genai.gen.thinkingConfig:through]', () => {
    expect(thinking({ thinkingLevel: 'low' }).toChat.body['reasoning_effort']).toBe('low')
    expect(thinking({ thinkingBudget: 0 }).toChat.body['reasoning_effort']).toBe('none')
    expect(thinking({ thinkingBudget: 2000 }).toChat.body['reasoning_effort']).toBe('low')
    const object = thinking({ thinkingBudget: 2000 }, { dialect: { reasoning: 'object' } })
    expect(object.toChat.body['reasoning']).toMatchObject({ max_tokens: 2000 })
  })

  it('becomes what the model accepts, by its card [genai.gen.thinkingConfig:through]', () => {
    const level = thinking({ thinkingBudget: 2000 }, { dialect: { thinking: 'level' } })
    expect(level.toGenai.body['generationConfig']).toMatchObject({ thinkingConfig: { thinkingLevel: 'LOW' } })
    const budget = thinking(
      { thinkingLevel: 'MEDIUM' },
      { dialect: { thinking: 'budget' }, limits: { reasoning: { max: 4000 } } },
    )
    expect(budget.toGenai.body['generationConfig']).toMatchObject({ thinkingConfig: { thinkingBudget: 4000 } })
    for (const { toGenai } of [level, budget]) expect(reported(toGenai)).toEqual(['changed reasoning'])
  })

  it('never writes a budget and a level together (trap 28)', () => {
    const both = translate(chat, genai, {
      model: 'm',
      messages: [{ role: 'user', content: 'a' }],
      reasoning: { effort: 'high', max_tokens: 2048 },
    })
    expect(both.body['generationConfig']).toEqual({ thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } })
    expect(reported(both)).toEqual(['changed reasoning'])
  })
})

describe('the rest of a genai request', () => {
  it('keeps turns and roles, with and without a role [genai.contents:through]', () => {
    const { toChat, toMessages, toGenai } = ask({
      contents: [
        { parts: [{ text: 'one' }, { text: 'two' }] },
        { role: 'model', parts: [{ text: 'three' }] },
        { role: 'user', parts: [{ text: 'four' }] },
      ],
    })
    const wordsIn = ({ body }: Translation) => JSON.stringify(body).match(/one|two|three|four/g)
    for (const to of [toChat, toMessages, toGenai]) {
      expect(wordsIn(to)).toEqual(['one', 'two', 'three', 'four'])
      expect(lost(to)).toEqual([])
    }
    expect(toGenai.body['contents']).toMatchObject([{ role: 'user' }, { role: 'model' }, { role: 'user' }])
  })

  it('translates the system instruction to every protocol [genai.systemInstruction:through]', () => {
    const { toChat, toMessages, toGenai } = ask({ systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] } })
    expect(toChat.body['messages']).toMatchObject([{ role: 'system', content: 'Be brief.' }, { role: 'user' }])
    expect(toMessages.body['system']).toBe('Be brief.')
    expect(toGenai.body['systemInstruction']).toEqual({ parts: [{ text: 'Be brief.' }] })
    for (const to of [toChat, toMessages, toGenai]) expect(lost(to)).toEqual([])
  })

  it('makes instructions in the middle of a conversation user text, reported [genai.systemInstruction:through]', () => {
    const { body, losses } = translate(chat, genai, {
      model: 'm',
      messages: [
        { role: 'system', content: 'one' },
        { role: 'developer', content: 'two' },
        { role: 'user', content: 'hello' },
        { role: 'system', content: 'three' },
      ],
    })
    expect(body['systemInstruction']).toEqual({ parts: [{ text: 'one' }, { text: 'two' }] })
    expect(body['contents']).toMatchObject([{ role: 'user' }, { role: 'user', parts: [{ text: 'three' }] }])
    expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual([
      'changed messages.1.role',
      'merged messages.1',
      'changed messages.3.role',
    ])
  })

  it('forwards cached content only to genai [genai.cachedContent:through]', () => {
    const cachedContent = 'projects/p/locations/l/cachedContents/c'
    const { toChat, toMessages, toGenai } = ask({ cachedContent })
    expect(toGenai.body['cachedContent']).toBe(cachedContent)
    for (const to of [toChat, toMessages]) expect(lost(to)).toEqual(['dropped cachedContent'])
  })

  it('forwards safety settings only to genai [genai.safetySettings:through]', () => {
    const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE', method: 'SEVERITY' }]
    const { toChat, toMessages, toGenai } = ask({ safetySettings })
    expect(toGenai.body['safetySettings']).toEqual(safetySettings)
    for (const to of [toChat, toMessages]) expect(lost(to)).toEqual(['dropped safety'])
  })

  it('keeps labels and unknown members for genai, and reports them for others', () => {
    const { toChat, toGenai } = ask({
      labels: { team_name: 'a' },
      x_new: 1,
      generationConfig: { temperature: 1, x_new: 2 },
    })
    expect(toGenai.body).toMatchObject({
      labels: { team_name: 'a' },
      x_new: 1,
      generationConfig: { temperature: 1, x_new: 2 },
    })
    expect(lost(toChat)).toEqual([
      'dropped extras.genai.labels.team_name',
      'dropped extras.genai.x_new',
      'dropped extras.genai.generationConfig.x_new',
    ])
  })

  it('streams by its path, and always requests usage from a chat upstream', () => {
    const streamed = translate(genai, chat, { contents }, { model: 'm', match: { stream: true } })
    expect(streamed.stream).toBe(true)
    expect(streamed.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(
      translate(chat, genai, { model: 'm', messages: [{ role: 'user', content: 'a' }], stream: true }).body,
    ).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'a' }] }],
    })
  })

  it('reads snake_case members, and leaves names of callers unchanged', () => {
    const snake = {
      system_instruction: { parts: [{ text: 'a' }] },
      contents: [
        { parts: [{ inline_data: { mime_type: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ function_call: { name: 'f', args: { file_uri: 1 } }, thought_signature: 'c2ln' }] },
        { parts: [{ function_response: { name: 'f', response: { mime_type: 2 } } }] },
      ],
      tools: [
        {
          function_declarations: [
            {
              name: 'f',
              parameters: {
                type: 'OBJECT',
                properties: { max_items: { type: 'ARRAY', items: { type: 'STRING' }, max_items: 3 } },
              },
            },
          ],
        },
        { google_search: {} },
      ],
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
      generation_config: {
        max_output_tokens: 5,
        thinking_config: { thinking_budget: 0 },
        response_mime_type: 'application/json',
        response_json_schema: { properties: { top_k: {} } },
      },
      labels: { cost_center: 'x' },
      x_new_field: 1,
    }
    const { toGenai } = ask(snake)
    expect(toGenai.body).toEqual({
      systemInstruction: { parts: [{ text: 'a' }] },
      contents: [
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: { file_uri: 1 } }, thoughtSignature: 'c2ln' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { mime_type: 2 } } }] },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              parameters: {
                type: 'OBJECT',
                properties: { max_items: { type: 'ARRAY', items: { type: 'STRING' }, maxItems: 3 } },
              },
            },
          ],
        },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: {
        maxOutputTokens: 5,
        thinkingConfig: { thinkingBudget: 0 },
        responseMimeType: 'application/json',
        responseJsonSchema: { properties: { top_k: {} } },
      },
      labels: { cost_center: 'x' },
      x_new_field: 1,
    })
    expect(reported(toGenai)).toEqual([])
  })
})
