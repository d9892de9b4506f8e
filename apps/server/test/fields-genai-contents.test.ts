import { describe, expect, it } from 'vitest'
import { genai } from './endpoints.ts'
import { at, describeFields, MODELS, STOPPING, useEndpoint, type Field, type Wire } from './fields.ts'

const client = useEndpoint(genai)
const { answer, stream } = client

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const says = (...turns: Wire[][]): Wire => ({
  contents: turns.map((parts, index) => ({ role: index % 2 === 0 ? 'user' : 'model', parts })),
})
const look = (part: Wire): Wire => says([{ text: 'Look' }, part])
const image = { mimeType: 'image/png', data: PIXEL }
const video = { fileData: { mimeType: 'video/mp4', fileUri: 'https://files.example/a.mp4' } }
const partPath = 'contents.0.parts.1'
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const functionDeclarations = ['get_weather', 'get_time'].map((name) => ({ name, parametersJsonSchema: schema }))
const tools = [{ functionDeclarations }]
const called = { functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Rome' } } }
const answered = (functionResponse: Wire): Wire => ({
  ...says([{ text: 'Weather?' }], [called], [{ functionResponse }]),
  tools,
})
const safety = (members: Wire): Wire => ({
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH', ...members }],
})
const calling = (functionCallingConfig: Wire): Wire => ({ tools, toolConfig: { functionCallingConfig } })
const partsOf = (body: Wire): Wire[] => (at(body, 'candidates', 0, 'content', 'parts') ?? []) as Wire[]
const text = (body: Wire): string =>
  partsOf(body)
    .map(({ text: words = '' }) => String(words))
    .join('')
const calls = (body: Wire): unknown[] => partsOf(body).flatMap(({ functionCall }) => at(functionCall, 'name') ?? [])

const FIELDS: Field[] = [
  {
    title: '[genai.contents:in] turns of user and model, with at least one part each',
    good: [
      { contents: [{ parts: [{ text: 'Hello' }] }] },
      says([{ text: 'Hello' }], [{ text: 'Hi' }], [{ text: 'Bye' }]),
    ],
    bad: [
      [{ contents: undefined }, 'contents'],
      [{ contents: [] }, 'contents'],
      [{ contents: [{ role: 'user', parts: [] }] }, 'contents.0.parts'],
      [{ contents: [{ role: 5, parts: [{ text: 'Hello' }] }] }, 'contents.0.role'],
      [{ contents: [{ role: 'robot' }] }, 'contents.0.parts'],
      [{ contents: [{ role: 'user' }] }, 'contents.0.parts'],
    ],
    unknown: [[{ contents: [{ role: 'robot', parts: [{ text: 'Hello' }] }] }, 'contents[0].role']],
  },
  {
    title: '[genai.part.text:in] text',
    good: [says([{ text: 'Hello' }, { text: 'there' }]), says([{ text: 'Hello' }, {}])],
    bad: [
      [says([{ text: 5 }]), 'contents.0.parts.0.text'],
      [says([{ text: 'a', inlineData: image }]), 'contents.0.parts.0'],
    ],
  },
  {
    title: '[genai.part.inlineData:in] of a listed media type; another value is refused',
    good: [
      'image/png',
      'image/jpeg',
      'image/webp',
      'application/pdf',
      'text/plain',
      'audio/wav',
      'audio/mp3',
      'video/mp4',
    ].map((mimeType) => look({ inlineData: { mimeType, data: PIXEL } })),
    bad: [
      [look({ inlineData: { mimeType: 'zip', data: PIXEL } }), `${partPath}.inlineData.mimeType`],
      [look({ inlineData: { data: PIXEL } }), `${partPath}.inlineData.mimeType`],
      [look({ inlineData: { mimeType: 'image/png' } }), `${partPath}.inlineData.data`],
    ],
  },
  {
    title: '[genai.part.fileData:in] a URI and its media type',
    good: [look({ fileData: { mimeType: 'image/png', fileUri: 'https://files.example/a.png' } }), look(video)],
    bad: [
      [look({ fileData: { mimeType: 'image/png' } }), `${partPath}.fileData.fileUri`],
      [look({ fileData: { mimeType: 'ttf', fileUri: 'https://files.example/a' } }), `${partPath}.fileData.mimeType`],
    ],
  },
  {
    title: '[genai.part.videoMetadata:in] a part of a video',
    good: [look({ ...video, videoMetadata: { startOffset: '1s', endOffset: '2.5s', fps: 2 } })],
    bad: [
      [look({ ...video, videoMetadata: { startOffset: 1 } }), `${partPath}.videoMetadata.startOffset`],
      [look({ ...video, videoMetadata: { fps: 0 } }), `${partPath}.videoMetadata.fps`],
    ],
  },
  {
    title: '[genai.part.mediaResolution:in] a resolution',
    good: [
      look({ inlineData: image, mediaResolution: 'LOW' }),
      look({ inlineData: image, mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' } }),
    ],
    bad: [[look({ inlineData: image, mediaResolution: 5 }), `${partPath}.mediaResolution`]],
  },
  {
    title: '[genai.part.functionCall:in] a name and arguments',
    bad: [
      [says([{ text: 'a' }], [{ functionCall: { args: {} } }]), 'contents.1.parts.0.functionCall.name'],
      [says([{ text: 'a' }], [{ functionCall: { name: 'a', args: '{}' } }]), 'contents.1.parts.0.functionCall.args'],
    ],
  },
  {
    title: '[genai.part.functionResponse:in] the result of a function',
    good: [
      answered({ id: 'call_1', name: 'get_weather', response: { output: 'warm' } }),
      answered({ name: 'get_weather', response: { degrees: 21 }, scheduling: 'SILENT', willContinue: false }),
      answered({ id: 'call_1', name: 'get_weather', response: {}, parts: [{ inlineData: image }] }),
    ],
    bad: [
      [answered({ response: {} }), 'contents.2.parts.0.functionResponse.name'],
      [answered({ name: 'get_weather', response: 'warm' }), 'contents.2.parts.0.functionResponse.response'],
    ],
  },
  {
    title: '[genai.part.thought:in] a thought and its signature',
    bad: [
      [says([{ text: 'a' }], [{ text: 'b', thought: 'yes' }]), 'contents.1.parts.0.thought'],
      [says([{ text: 'a' }], [{ text: 'b', thoughtSignature: 5 }]), 'contents.1.parts.0.thoughtSignature'],
    ],
  },
  {
    title: '[genai.part.code:in] code and its output',
    good: [
      says(
        [{ text: 'Run it' }],
        [
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
          { text: 'One.' },
        ],
        [{ text: 'Again' }],
      ),
    ],
    bad: [
      [says([{ text: 'a' }], [{ executableCode: { code: 'b' } }]), 'contents.1.parts.0.executableCode.language'],
      [says([{ text: 'a' }], [{ codeExecutionResult: {} }]), 'contents.1.parts.0.codeExecutionResult.outcome'],
    ],
  },
  {
    title: '[genai.cachedContent:in] the name of a resource',
    good: [{ cachedContent: 'projects/p/locations/l/cachedContents/1' }],
    bad: [
      [{ cachedContent: 5 }, 'cachedContent'],
      [{ cachedContent: '' }, 'cachedContent'],
    ],
  },
  {
    title: '[genai.systemInstruction:in] text parts',
    good: [
      { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
      { systemInstruction: { role: 'user', parts: [{ text: 'Be' }, { text: 'brief.' }] } },
    ],
    bad: [
      [{ systemInstruction: 'Be brief.' }, 'systemInstruction'],
      [{ systemInstruction: { parts: [{ text: 5 }] } }, 'systemInstruction.parts.0.text'],
    ],
  },
  {
    title: '[genai.safetySettings:in] a category and a threshold',
    good: [
      safety({}),
      safety({ method: 'SEVERITY' }),
      safety({ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'OFF' }),
    ],
    bad: [
      [safety({ category: 5 }), 'safetySettings.0.category'],
      [safety({ category: undefined }), 'safetySettings.0.category'],
      [safety({ threshold: undefined }), 'safetySettings.0.threshold'],
      [safety({ method: 5 }), 'safetySettings.0.method'],
    ],
    unknown: [
      [safety({ category: 'HARM_CATEGORY_BOREDOM' }), 'safetySettings'],
      [safety({ threshold: 'BLOCK_ALL' }), 'safetySettings'],
      [safety({ method: 'GUESS' }), 'safetySettings'],
    ],
  },
  {
    title: '[genai.tools:in] functions and built-in tools',
    good: [
      {
        tools: [
          { functionDeclarations: [{ name: 'a', description: 'A.', parameters: { type: 'OBJECT', properties: {} } }] },
        ],
      },
      { tools: [{ googleSearch: {} }] },
      // Google reads one object as a list of one.
      { tools: { googleSearch: {} } },
      { tools: [{ codeExecution: {} }, { urlContext: {} }] },
      { tools: [{ retrieval: { vertexAiSearch: { datastore: 'd' } } }] },
    ],
    bad: [
      [{ tools: 'all' }, 'tools'],
      [{ tools: [{ functionDeclarations: [{}] }] }, 'tools.0.functionDeclarations.0.name'],
      [
        { tools: [{ functionDeclarations: [{ name: 'a', parameters: 'any' }] }] },
        'tools.0.functionDeclarations.0.parameters',
      ],
      [
        { tools: [{ functionDeclarations: [{ name: 'a', parameters: {}, parametersJsonSchema: {} }] }] },
        'tools.0.functionDeclarations.0.parametersJsonSchema',
      ],
    ],
  },
  {
    title: '[genai.toolConfig:in] which functions may be called',
    good: ['AUTO', 'ANY', 'NONE', 'VALIDATED'].map((mode) => calling({ mode })),
    bad: [
      [calling({ mode: 5 }), 'toolConfig.functionCallingConfig.mode'],
      [calling({ allowedFunctionNames: 'all' }), 'toolConfig.functionCallingConfig.allowedFunctionNames'],
    ],
    unknown: [[calling({ mode: 'SOME' }), 'toolConfig.functionCallingConfig.mode']],
  },
]

describe('a genai content', () => {
  describeFields(client, FIELDS)

  it.each(MODELS)('[genai.part.text:in] [genai.part.inlineData:in] is seen by %s', async (model) => {
    expect(text(await answer(look({ inlineData: image }), { model }))).toMatch(/"Look".* I also see one attachment/)
  })

  it.each(MODELS)('[genai.tools:in] [genai.toolConfig:in] decides what %s calls', async (model) => {
    const named = async (members: Wire): Promise<unknown[]> =>
      calls(await answer({ ...says([{ text: 'Use both tools for Rome' }]), tools, ...members }, { model }))
    expect(await named({})).toEqual(['get_weather', 'get_time'])
    expect(await named(calling({ mode: 'ANY', allowedFunctionNames: ['get_time'] }))).not.toContain('get_weather')
    expect(await named(calling({ mode: 'NONE' }))).toEqual([])
  })

  it.each(STOPPING)('[genai.snake] is read in snake_case too, for %s', async (model) => {
    const members = {
      contents: [{ role: 'user', parts: [{ text: 'Look' }, { inline_data: { mime_type: 'image/png', data: PIXEL } }] }],
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      generation_config: { max_output_tokens: 12, stop_sequences: ['attachment'] },
    }
    const camel = await answer(
      {
        ...look({ inlineData: image }),
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        generationConfig: { maxOutputTokens: 12, stopSequences: ['attachment'] },
      },
      { model },
    )
    const snake = await answer(members, { model })
    expect(text(snake)).toBe(text(camel))
    expect(text(snake).length).toBeLessThan(49)
    const wrong = { generation_config: { stop_sequences: ['a', 'b', 'c', 'd', 'e', 'f'] } }
    await client.refused(wrong, 'generationConfig.stopSequences', { model })
  })

  it.each(MODELS)(
    '[genai.res.promptFeedback:in] [err.moderation] reports that the prompt was blocked, by %s',
    async (model) => {
      const blocked = says([{ text: '[[block]] Hello' }])
      const body = await answer(blocked, { model })
      const chunks = (await stream(blocked, { model }))
        .trimEnd()
        .split('\n\n')
        .map((frame) => JSON.parse(frame.slice(6)) as Wire)
      const native = model === 'sim/genai-1'
      const path = native ? ['promptFeedback', 'blockReason'] : ['candidates', 0, 'finishReason']
      const word = native ? 'PROHIBITED_CONTENT' : 'SAFETY'
      expect(at(body, ...path)).toBe(word)
      expect(at(chunks.at(-1), ...path)).toBe(word)
      expect(body['candidates'] === undefined).toBe(native)
    },
  )

  it('[genai.res.grounding:in] shows the sources of a response', async () => {
    const asked = says([{ text: '[[search]] Hello' }])
    const grounding = { webSearchQueries: ['Hello'] }
    expect(at(await answer(asked), 'candidates', 0, 'groundingMetadata')).toEqual(grounding)
    expect(await stream(asked)).toContain(`"groundingMetadata":${JSON.stringify(grounding)}`)
  })
})
