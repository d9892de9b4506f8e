import { describe, expect, it } from 'vitest'
import { genai } from './endpoints.ts'
import { at, describeFields, MODELS, STOPPING, useEndpoint, type Field, type Wire } from './fields.ts'

const client = useEndpoint(genai)
const { answer, refused } = client

const config = (members: Wire): Wire => ({ generationConfig: members })
const text = (body: Wire): unknown => at(body, 'candidates', 0, 'content', 'parts', 0, 'text')
const SCHEMA = { type: 'OBJECT', properties: { count: { type: 'INTEGER', minimum: 5 } }, required: ['count'] }
const JSON_SCHEMA = { type: 'object', properties: { count: { type: 'integer', minimum: 5 } }, required: ['count'] }
const JSON_TYPE = 'application/json'

/** A member that must be a number. */
const number = (row: string, good: readonly unknown[], bad: readonly unknown[]): Field => {
  const name = row.split('.').at(-1)?.split(':')[0] ?? ''
  return {
    title: `${row} a number within its limits`,
    good: good.map((value) => config({ [name]: value })),
    bad: bad.map((value) => [config({ [name]: value }), `generationConfig.${name}`] as const),
  }
}

const FIELDS: Field[] = [
  number('[genai.gen.temperature:in]', [0, 1.5, 2], ['hot']),
  number('[genai.gen.topP:in]', [0, 1], [1.1, -0.1, '1']),
  number('[genai.gen.topK:in]', [1, 40], [1.5, 'many']),
  number('[genai.gen.candidateCount:in]', [1, 2], [0, 1.5, 'one']),
  number('[genai.gen.maxOutputTokens:in]', [1, 10_000_000], [0, 1.5, '10']),
  number('[genai.gen.presencePenalty:in]', [-2, 1.9], [2, -2.1, 'no']),
  number('[genai.gen.frequencyPenalty:in]', [-2, 1.9], [2, -2.1, 'no']),
  number('[genai.gen.seed:in]', [0, 7], [1.5, 'seven']),
  {
    title: '[genai.gen.stopSequences:in] at most 5 strings',
    good: [config({ stopSequences: ['a1', 'b1', 'c1', 'd1', 'e1'] }), config({ stopSequences: [] })],
    bad: [
      [config({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] }), 'generationConfig.stopSequences'],
      [config({ stopSequences: [1] }), 'generationConfig.stopSequences'],
      [config({ stopSequences: 'a' }), 'generationConfig.stopSequences'],
    ],
  },
  {
    title: '[genai.gen.responseMimeType:in] text, JSON or an enum',
    good: [config({ responseMimeType: 'text/plain' }), config({ responseMimeType: JSON_TYPE })],
    bad: [[config({ responseMimeType: 5 }), 'generationConfig.responseMimeType']],
    unknown: [[config({ responseMimeType: 'text/html' }), 'generationConfig.responseMimeType']],
  },
  {
    title: '[genai.gen.responseSchema:in] needs a media type other than text',
    bad: [
      [config({ responseSchema: SCHEMA }), 'generationConfig.responseSchema'],
      [config({ responseSchema: SCHEMA, responseMimeType: 'text/plain' }), 'generationConfig.responseSchema'],
      [config({ responseSchema: 'any', responseMimeType: JSON_TYPE }), 'generationConfig.responseSchema'],
    ],
  },
  {
    title: '[genai.gen.responseJsonSchema:in] needs JSON, and no other schema',
    bad: [
      [config({ responseJsonSchema: JSON_SCHEMA }), 'generationConfig.responseJsonSchema'],
      [
        config({ responseJsonSchema: JSON_SCHEMA, responseMimeType: 'text/x.enum' }),
        'generationConfig.responseJsonSchema',
      ],
      [
        config({ responseJsonSchema: JSON_SCHEMA, responseSchema: SCHEMA, responseMimeType: JSON_TYPE }),
        'generationConfig.responseJsonSchema',
      ],
    ],
  },
  {
    title: '[genai.gen.responseLogprobs:in] with 1 to 20 alternatives',
    good: [config({ responseLogprobs: true, logprobs: 20 }), config({ responseLogprobs: true })],
    bad: [
      [config({ responseLogprobs: true, logprobs: 21 }), 'generationConfig.logprobs'],
      [config({ responseLogprobs: true, logprobs: 0 }), 'generationConfig.logprobs'],
      [config({ logprobs: 3 }), 'generationConfig.logprobs'],
      [config({ responseLogprobs: 'yes' }), 'generationConfig.responseLogprobs'],
    ],
  },
  {
    title: '[genai.gen.responseModalities:in] an image comes with text',
    good: [
      config({ responseModalities: ['TEXT'] }),
      config({ responseModalities: ['TEXT', 'IMAGE'] }),
      config({ responseModalities: ['IMAGE'] }),
    ],
    bad: [
      [config({ responseModalities: [5] }), 'generationConfig.responseModalities'],
      [config({ responseModalities: 'TEXT' }), 'generationConfig.responseModalities'],
    ],
    unknown: [[config({ responseModalities: ['SMELL'] }), 'generationConfig.responseModalities']],
  },
  {
    title: '[genai.gen.audioTimestamp:in] [genai.gen.enableAffectiveDialog:in] are booleans',
    good: [config({ audioTimestamp: true, enableAffectiveDialog: true })],
    bad: [
      [config({ audioTimestamp: 'yes' }), 'generationConfig.audioTimestamp'],
      [config({ enableAffectiveDialog: 1 }), 'generationConfig.enableAffectiveDialog'],
    ],
  },
  {
    title: '[genai.gen.thinkingConfig:in] a budget or a level, never both',
    good: [
      config({ thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } }),
      config({ thinkingConfig: { thinkingBudget: -1 } }),
      config({ thinkingConfig: { thinkingBudget: 0 } }),
      config({ thinkingConfig: { thinkingLevel: 'HIGH' } }),
    ],
    bad: [
      [config({ thinkingConfig: { thinkingBudget: 2048, thinkingLevel: 'LOW' } }), 'generationConfig.thinkingConfig'],
      [config({ thinkingConfig: { thinkingBudget: -2 } }), 'generationConfig.thinkingConfig.thinkingBudget'],
      [config({ thinkingConfig: { thinkingLevel: 5 } }), 'generationConfig.thinkingConfig.thinkingLevel'],
      [config({ thinkingConfig: { includeThoughts: 'yes' } }), 'generationConfig.thinkingConfig.includeThoughts'],
    ],
    unknown: [[config({ thinkingConfig: { thinkingLevel: 'DEEP' } }), 'generationConfig.thinkingConfig.thinkingLevel']],
  },
  {
    title: '[genai.gen.mediaResolution:in] an enum',
    good: ['LOW', 'MEDIUM', 'HIGH', 'ULTRA_HIGH', 'UNSPECIFIED'].map((level) =>
      config({ mediaResolution: `MEDIA_RESOLUTION_${level}` }),
    ),
    bad: [[config({ mediaResolution: 5 }), 'generationConfig.mediaResolution']],
    unknown: [[config({ mediaResolution: 'SHARP' }), 'generationConfig.mediaResolution']],
  },
  {
    title: '[genai.gen.speechConfig:in] one voice or several speakers',
    good: [
      config({ speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } }, languageCode: 'it-IT' } }),
      config({ speechConfig: { multiSpeakerVoiceConfig: { speakerVoiceConfigs: [] } } }),
    ],
    bad: [
      [config({ speechConfig: { voiceConfig: {}, multiSpeakerVoiceConfig: {} } }), 'generationConfig.speechConfig'],
      [config({ speechConfig: { languageCode: 7 } }), 'generationConfig.speechConfig.languageCode'],
    ],
  },
  {
    title: '[genai.gen.routingConfig] automatic or manual',
    good: [
      config({ routingConfig: { autoMode: { modelRoutingPreference: 'BALANCED' } } }),
      config({ routingConfig: { manualMode: { modelName: 'any' } } }),
    ],
    bad: [[config({ routingConfig: { autoMode: {}, manualMode: {} } }), 'generationConfig.routingConfig']],
  },
  {
    title: '[genai.gen.imageConfig:in] strings, and a quality',
    good: [
      config({
        imageConfig: {
          aspectRatio: '16:9',
          imageSize: '2K',
          outputCompressionQuality: 80,
          outputMimeType: 'image/jpeg',
        },
      }),
    ],
    bad: [
      [config({ imageConfig: { aspectRatio: 1.5 } }), 'generationConfig.imageConfig.aspectRatio'],
      [config({ imageConfig: { imageSize: 2 } }), 'generationConfig.imageConfig.imageSize'],
      [
        config({ imageConfig: { outputCompressionQuality: 'high' } }),
        'generationConfig.imageConfig.outputCompressionQuality',
      ],
    ],
  },
]

describe('a genai setting', () => {
  describeFields(client, FIELDS)

  it.each(STOPPING)(
    '[genai.gen.stopSequences:in] [genai.gen.maxOutputTokens:in] ends the response of %s',
    async (model) => {
      expect(text(await answer(config({ stopSequences: ['Paris'] }), { model }))).toMatch(/"Tell me about $/)
      const short = await answer(config({ maxOutputTokens: 2 }), { model })
      expect([text(short), at(short, 'candidates', 0, 'finishReason')]).toEqual(['Hello fr', 'MAX_TOKENS'])
    },
  )

  it.each(MODELS)(
    '[genai.gen.responseSchema:in] [genai.gen.responseJsonSchema:in] [genai.gen.responseMimeType:in] applies to the response of %s',
    async (model) => {
      const textOf = async (members: Wire): Promise<unknown> => text(await answer(config(members), { model }))
      expect(await textOf({ responseMimeType: JSON_TYPE, responseSchema: SCHEMA })).toBe('{"count":5}')
      expect(await textOf({ responseMimeType: JSON_TYPE, responseJsonSchema: JSON_SCHEMA })).toBe('{"count":5}')
      const either = { oneOf: [{ type: 'STRING', enum: ['yes'] }, { type: 'INTEGER' }] }
      const union = await textOf({
        responseMimeType: JSON_TYPE,
        responseSchema: { type: 'OBJECT', properties: { a: either }, required: ['a'] },
      })
      expect(union).toBe('{"a":"yes"}')
    },
  )

  it('[genai.gen.responseMimeType:in] [genai.gen.responseSchema:in] gives one value of an enum', async () => {
    const members = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['red', 'blue'] } }
    expect(text(await answer(config(members)))).toBe('red')
  })

  it.each(MODELS)('[genai.gen.thinkingConfig:in] shows the reasoning of %s', async (model) => {
    const thoughts = async (thinkingConfig: Wire): Promise<boolean> =>
      JSON.stringify(await answer(config({ thinkingConfig }), { model })).includes('"thought":true')
    expect(await thoughts({ thinkingBudget: 2048, includeThoughts: true })).toBe(true)
    expect(await thoughts({ thinkingLevel: 'LOW', includeThoughts: true })).toBe(true)
    expect(await thoughts({ thinkingBudget: 0 })).toBe(false)
  })

  it('[genai.gen.schemaLimits] refuses schemas that are too deep, too large or circular', async () => {
    let deep: Wire = { type: 'string' }
    for (let level = 0; level < 200; level++) deep = { type: 'object', properties: { next: deep } }
    const wide = { type: 'string', enum: Array.from({ length: 30_000 }, (_, index) => `value ${index}`) }
    for (const responseJsonSchema of [deep, wide]) {
      const path = 'generationConfig.responseJsonSchema'
      await refused(config({ responseJsonSchema, responseMimeType: JSON_TYPE }), path)
    }
    const responseSchema = { type: 'OBJECT', properties: { next: { $ref: '#' } } }
    await refused(config({ responseSchema, responseMimeType: JSON_TYPE }), 'generationConfig.responseSchema')
    const declared = { tools: [{ functionDeclarations: [{ name: 'a', parametersJsonSchema: deep }] }] }
    await refused(declared, 'tools.0.functionDeclarations.0.parametersJsonSchema')
  })
})
