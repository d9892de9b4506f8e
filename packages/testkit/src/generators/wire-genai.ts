import type { Json, JsonObject } from '@dragoman/core'
import { genai } from '@dragoman/core/schemas'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { schemaAt, wireObject, without, type Hooks } from './grammar.ts'
import { number, word, writing } from './json.ts'
import { maybe, never } from './record.ts'
import { callPart, codePart, futurePart, mediaPart, resultMembers, textPart, thought } from './wire-genai-parts.ts'
import { loose, parameters, strict } from './wire.ts'

const at = (...path: string[]) => schemaAt(genai.request, ...path)

/** A request of genai clients: every member of the grammar, every part, and both spellings if there are two. */
export function genaiRequest(): Arbitrary<JsonObject> {
  const setting = strict(
    {
      category: fc.constantFrom('HARM_CATEGORY_HARASSMENT', 'HARM_CATEGORY_HATE_SPEECH'),
      threshold: fc.constantFrom('OFF', 'BLOCK_NONE'),
    },
    { method: fc.constant('SEVERITY') },
  )
  const base = wireObject(genai.request, {
    contents: conversation(),
    systemInstruction: wireObject(at('systemInstruction'), {
      parts: fc.array(textPart(), { minLength: 1, maxLength: 2 }),
      role: fc.constantFrom('user', 'system'),
    }),
    safetySettings: fc.array(setting, { minLength: 1, maxLength: 2 }),
    cachedContent: word().map((name) => `projects/p/locations/l/cachedContents/${name}`),
    labels: fc.constant({ team: 'a_b' }),
    serviceTier: fc.constantFrom('standard', 'flex', 'unspecified'),
    ...without('generationConfig', 'tools', 'toolConfig'),
  })
  return fc
    .tuple(base, maybe(generationConfig(), 6), maybe(toolMembers(), 4))
    .map(([request, generationConfig, tools]) => ({
      ...request,
      ...(generationConfig === undefined ? {} : { generationConfig }),
      ...tools,
    }))
}

/** Turns in order. Every call is answered in the next turn. */
function conversation(): Arbitrary<readonly JsonObject[]> {
  const contents = fc.oneof(
    { weight: 4, arbitrary: textPart() },
    { weight: 3, arbitrary: thought() },
    codePart(),
    mediaPart(),
    futurePart(),
  )
  const asked = fc.oneof({ weight: 4, arbitrary: textPart() }, { weight: 2, arbitrary: mediaPart() }, futurePart())
  const exchange = fc.record({
    ask: fc.array(asked, { minLength: 1, maxLength: 3 }),
    answer: fc.array(contents, { minLength: 1, maxLength: 3 }),
    calls: fc.array(fc.tuple(callPart(), resultMembers()), { maxLength: 2 }),
    ids: fc.boolean(),
    cut: fc.boolean(),
    role: fc.constantFrom('user', 'function', undefined),
    gaps: fc.tuple(fc.boolean(), fc.boolean()),
    marks: fc.array(loose({}), { minLength: 2, maxLength: 2 }),
  })
  return fc.array(exchange, { minLength: 1, maxLength: 3 }).map((exchanges) => {
    let results: JsonObject[] = []
    const turns = exchanges.flatMap(({ ask, answer, calls, ids, cut, role, gaps, marks }, turn) => {
      const user = {
        ...marks[0],
        ...(role === undefined ? {} : { role }),
        parts: [...results, ...ask, ...gap(gaps[0])],
      }
      const named = (members: Json | undefined, index: number): JsonObject => ({
        ...(members as JsonObject),
        ...(ids ? { id: `call_${turn}_${index}` } : {}),
      }) // as generated
      const called = calls.map(([part], index) => ({ ...part, functionCall: named(part['functionCall'], index) }))
      results = calls.map(([part, result], index) => {
        const { name } = part['functionCall'] as JsonObject // as generated
        return { functionResponse: named({ ...result, name: name ?? '' }, index) }
      })
      const parts = [...answer, ...called, ...gap(gaps[1])]
      const contents = cut ? parts.map((part) => [part]) : [parts]
      return [
        user,
        ...contents.map((each, index) => ({ ...(index === 0 ? marks[1] : {}), role: 'model', parts: each })),
      ]
    })
    return results.length === 0 ? turns : [...turns, { role: 'user', parts: results }]
  })
}

/** An empty text as Go's SDK writes it. */
function gap(isThere: boolean): JsonObject[] {
  return isThere ? [{}] : []
}

function generationConfig(): Arbitrary<JsonObject> {
  const inside = (...path: string[]) => at('generationConfig', ...path)
  const voice = wireObject(inside('speechConfig', 'voiceConfig'), {
    prebuiltVoiceConfig: loose({ voiceName: word() }),
    replicatedVoiceConfig: never,
  })
  const auto = wireObject(inside('routingConfig', 'autoMode'), { modelRoutingPreference: fc.constant('BALANCED') })
  const hooks: Hooks = {
    temperature: number(0, 2),
    candidateCount: fc.integer({ min: 1, max: 3 }),
    maxOutputTokens: fc.integer({ min: 1, max: 50_000 }),
    stopSequences: fc.array(word(), { maxLength: 5 }),
    presencePenalty: number(-2, 1.9),
    frequencyPenalty: number(-2, 1.9),
    topK: fc.integer({ min: 1, max: 50 }),
    seed: fc.nat(),
    responseModalities: fc.constantFrom<Json>(['TEXT'], ['TEXT', 'IMAGE'], ['AUDIO'], ['text']),
    mediaResolution: fc.constant('MEDIA_RESOLUTION_LOW'),
    speechConfig: wireObject(inside('speechConfig'), {
      voiceConfig: voice,
      multiSpeakerVoiceConfig: never,
      languageCode: fc.constant('de-DE'),
    }),
    imageConfig: wireObject(inside('imageConfig'), { outputCompressionQuality: fc.nat({ max: 100 }) }),
    routingConfig: wireObject(inside('routingConfig'), { autoMode: auto, manualMode: never }),
    ...without('responseMimeType', 'responseSchema', 'responseJsonSchema'),
    ...without('responseLogprobs', 'logprobs', 'thinkingConfig'),
  }
  const base = wireObject(inside(), hooks)
  return fc.tuple(base, form(), thinking(), logprobs()).map((groups) => Object.assign({}, ...groups) as JsonObject) // keys of our own
}

function form(): Arbitrary<JsonObject> {
  const schema = fc.constantFrom<Json>(
    {
      type: 'OBJECT',
      properties: { some_name: { type: 'STRING', nullable: true } },
      required: ['some_name'],
      propertyOrdering: ['some_name'],
    },
    { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
  )
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    fc.constantFrom('text/plain', 'application/json', 'text/x.enum').map((responseMimeType) => ({ responseMimeType })),
    schema.map((responseSchema) => ({ responseMimeType: 'application/json', responseSchema })),
    fc.constant({ responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a', 'b'] } }),
    parameters().map((responseJsonSchema) => ({ responseMimeType: 'application/json', responseJsonSchema })),
  )
}

function thinking(): Arbitrary<JsonObject> {
  const schema = at('generationConfig', 'thinkingConfig')
  const thinkingBudget = fc.constantFrom(0, -1, 1024, 24_576)
  const thinkingLevel = fc.constantFrom('LOW', 'HIGH', 'high', 'MINIMAL', 'THINKING_LEVEL_UNSPECIFIED')
  const config = fc
    .oneof(
      wireObject(schema, { thinkingBudget, thinkingLevel: never }),
      wireObject(schema, { thinkingBudget: never, thinkingLevel }),
    )
    .filter((config) => Object.keys(config).length > 0)
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    config.map((thinkingConfig) => ({ thinkingConfig })),
  )
}

function logprobs(): Arbitrary<JsonObject> {
  return fc.constantFrom<JsonObject>(
    {},
    {},
    { responseLogprobs: false },
    { responseLogprobs: true },
    { responseLogprobs: true, logprobs: 5 },
  )
}

/** Functions together or in separate objects, with tools of the upstream. */
function toolMembers(): Arbitrary<JsonObject> {
  const openapi = fc.constant({ type: 'OBJECT', properties: { a_b: { type: 'STRING' } } })
  const schema = at('tools', 'functionDeclarations')
  const declaration = fc.oneof(
    wireObject(schema, { description: writing(), parameters: openapi, parametersJsonSchema: never }),
    wireObject(schema, { description: writing(), parameters: never, parametersJsonSchema: parameters() }),
  )
  const functions = fc
    .array(declaration, { minLength: 1, maxLength: 2 })
    .map((functionDeclarations) => ({ functionDeclarations }))
  const own = fc.oneof(
    loose({ googleSearch: loose({}, { timeRangeFilter: fc.constant({ startTime: 'x' }) }) }),
    fc.constantFrom<JsonObject>({ codeExecution: {} }, { urlContext: {} }, { retrieval: { vertexAiSearch: {} } }),
    fc.constant({ functionDeclarations: [{ name: 'more' }], googleSearch: {} }),
  )
  const mode = at('toolConfig', 'functionCallingConfig')
  const calling = fc.oneof(
    wireObject(mode, { allowedFunctionNames: never }).filter((config) => config['mode'] !== undefined),
    loose({ mode: fc.constantFrom('ANY', 'VALIDATED'), allowedFunctionNames: fc.constant(['some_tool']) }),
  )
  const retrievalConfig = fc.constant({ languageCode: 'de' })
  const config = fc
    .tuple(wireObject(at('toolConfig'), { functionCallingConfig: never, retrievalConfig }), calling)
    .map(([others, functionCallingConfig]) => ({ ...others, functionCallingConfig }))
  const first = fc.constant({ functionDeclarations: [{ name: 'some_tool' }] })
  const tools = fc
    .tuple(first, fc.array(fc.oneof(functions, own), { maxLength: 3 }))
    .map(([one, more]) => uniquely([one, ...more]))
  return strict({ tools }, { toolConfig: config })
}

/** Names are unique in a request. */
function uniquely(tools: readonly JsonObject[]): JsonObject[] {
  let count = 0
  return tools.map((tool, index) => {
    const declared = tool['functionDeclarations'] as readonly JsonObject[] | undefined // as generated
    if (declared === undefined || index === 0) return tool
    return {
      ...tool,
      functionDeclarations: declared.map((one) => ({ ...one, name: `tool_${count++}` })),
    }
  })
}
