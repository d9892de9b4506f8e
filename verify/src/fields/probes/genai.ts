import type { JsonObject } from '../../fidelity/json.ts'
import { answer, ask, show, tune } from '../../fidelity/wire/build.ts'
import { probesOf, type Probe, type Probes } from '../probe.ts'

const HELLO = { role: 'user', parts: [{ text: 'Hello' }] }
export const IMAGE = { inlineData: { mimeType: 'image/png', data: 'aGk=' } }
export const CALL = { functionCall: { id: 'call_1', name: 'now', args: { zone: 'CET' } } }
const SCHEMA = { type: 'OBJECT', properties: { zone: { type: 'STRING' } } }

const conversation = (...contents: readonly JsonObject[]) => ask.genai({ contents })
const part = (field: string, value: JsonObject): Probe => ({
  field: `contents[user].parts[${field}]`,
  body: show.genai({ text: 'Look' }, value),
  base: show.genai({ text: 'Look' }),
})
const on = (field: string, whole: JsonObject, members: JsonObject): Probe => ({
  field: `contents[].parts[].${field}`,
  body: show.genai({ ...whole, ...members }),
  base: show.genai(whole),
})
const answered = (...parts: readonly JsonObject[]) =>
  conversation(HELLO, { role: 'model', parts: [...parts, { text: 'Well' }] }, HELLO)
const result = (members: JsonObject) =>
  conversation(
    HELLO,
    { role: 'model', parts: [CALL] },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'call_1', name: 'now', response: { output: 'noon' }, ...members } }],
    },
  )
const withFunction = (members: JsonObject) =>
  ask.genai({ tools: [{ functionDeclarations: [{ name: 'now', ...members }] }] })
const choosing = (functionCallingConfig: JsonObject) =>
  ask.genai({
    tools: [{ functionDeclarations: [{ name: 'now' }, { name: 'then' }] }],
    toolConfig: { functionCallingConfig },
  })
const tool = (member: string): Probe => ({
  field: `tools[].${member}`,
  body: ask.genai({ tools: [{ [member]: {} }] }),
  base: ask.genai(),
})

const requests: readonly Probe[] = [
  ...probesOf('', ask.genai, { systemInstruction: { parts: [{ text: 'Be brief.' }] } }),
  part('text', { text: 'again' }),
  part('inlineData, image', IMAGE),
  part('inlineData, PDF', { inlineData: { mimeType: 'application/pdf', data: 'aGk=' } }),
  part('inlineData, text', { inlineData: { mimeType: 'text/plain', data: 'aGk=' } }),
  part('inlineData, sound', { inlineData: { mimeType: 'audio/wav', data: 'aGk=' } }),
  part('inlineData, video', { inlineData: { mimeType: 'video/mp4', data: 'aGk=' } }),
  part('fileData, address of an image', { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } }),
  part('fileData, address of a PDF', {
    fileData: { mimeType: 'application/pdf', fileUri: 'https://example.com/a.pdf' },
  }),
  part('fileData, file of the issuer', { fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } }),
  {
    field: 'contents[].parts[].inlineData.displayName',
    body: show.genai({ inlineData: { mimeType: 'application/pdf', data: 'aGk=', displayName: 'a.pdf' } }),
    base: show.genai({ inlineData: { mimeType: 'application/pdf', data: 'aGk=' } }),
  },
  on('mediaResolution', IMAGE, { mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } }),
  part('videoMetadata', {
    fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/a.mp4' },
    videoMetadata: { startOffset: '1s', endOffset: '2s', fps: 1 },
  }),
  { field: 'contents[model].parts[text]', body: answered(), base: conversation(HELLO, HELLO) },
  {
    field: 'contents[model].parts[].thought',
    body: answered({ text: 'They greet.', thought: true }),
    base: answered(),
  },
  {
    field: 'contents[model].parts[].thoughtSignature',
    body: answered({ text: 'Good', thoughtSignature: 'c2lnbmF0dXJl' }),
    base: answered({ text: 'Good' }),
  },
  {
    field: 'contents[model].parts[executableCode, codeExecutionResult]',
    body: answered(
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    ),
    base: answered(),
  },
  {
    field: 'contents[model].parts[functionCall], contents[user].parts[functionResponse]',
    body: result({}),
    base: conversation(HELLO),
  },
  ...probesOf('contents[user].parts[functionResponse].', result, {
    parts: [IMAGE],
    scheduling: 'WHEN_IDLE',
    willContinue: true,
  }),
  { field: 'tools[].functionDeclarations[]', body: withFunction({}), base: ask.genai() },
  ...probesOf('tools[].functionDeclarations[].', withFunction, {
    description: 'Tells the time',
    parameters: SCHEMA,
    parametersJsonSchema: { type: 'object', properties: { zone: { type: 'string' } } },
    response: { type: 'STRING' },
    behavior: 'NON_BLOCKING',
  }),
  ...['googleSearch', 'codeExecution', 'urlContext', 'retrieval'].map(tool),
  ...['AUTO', 'ANY', 'NONE', 'VALIDATED'].map((mode) => ({
    field: `toolConfig.functionCallingConfig.mode: ${mode}`,
    body: choosing({ mode }),
    base: choosing({}),
  })),
  {
    field: 'toolConfig.functionCallingConfig.allowedFunctionNames, one',
    body: choosing({ mode: 'ANY', allowedFunctionNames: ['now'] }),
    base: choosing({ mode: 'ANY' }),
  },
  {
    field: 'toolConfig.functionCallingConfig.allowedFunctionNames, several',
    body: choosing({ mode: 'ANY', allowedFunctionNames: ['now', 'then'] }),
    base: choosing({ mode: 'ANY' }),
  },
  ...probesOf('', ask.genai, {
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    cachedContent: 'projects/p/locations/l/cachedContents/1',
    labels: { team: 'search' },
  }),
  ...probesOf('generationConfig.', tune, {
    temperature: 0.5,
    topP: 0.5,
    topK: 40,
    candidateCount: 2,
    maxOutputTokens: 100,
    stopSequences: ['END'],
    presencePenalty: 0.5,
    frequencyPenalty: 0.5,
    seed: 7,
    responseLogprobs: true,
    responseModalities: ['TEXT', 'IMAGE'],
    audioTimestamp: true,
    mediaResolution: 'MEDIA_RESOLUTION_LOW',
    speechConfig: { languageCode: 'en-US' },
    routingConfig: { autoMode: { modelRoutingPreference: 'BALANCED' } },
    imageConfig: { aspectRatio: '1:1' },
    enableAffectiveDialog: true,
  }),
  { field: 'generationConfig.logprobs', body: tune({ responseLogprobs: true, logprobs: 3 }), base: tune({}) },
  ...['text/plain', 'application/json', 'text/x.enum'].map((mime) => ({
    field: `generationConfig.responseMimeType: ${mime}`,
    body: tune({ responseMimeType: mime }),
    base: tune({}),
  })),
  ...probesOf(
    'generationConfig.',
    tune,
    { responseSchema: SCHEMA, responseJsonSchema: { type: 'object', properties: { zone: { type: 'string' } } } },
    { responseMimeType: 'application/json' },
  ),
  ...Object.entries({ thinkingBudget: 6000, thinkingLevel: 'HIGH', includeThoughts: true }).map(([member, value]) => ({
    field: `generationConfig.thinkingConfig.${member}`,
    body: tune({ maxOutputTokens: 32_000, thinkingConfig: { [member]: value } }),
    base: tune({ maxOutputTokens: 32_000 }),
  })),
]

const holding = (field: string, ...parts: readonly JsonObject[]): Probe => ({
  field: `candidates[].content.parts[${field}]`,
  body: answer.genai({ parts: [{ text: 'Good day' }, ...parts] }),
  base: answer.genai({ parts: [{ text: 'Good day' }] }),
})
const usage = (members: JsonObject) =>
  answer.genai({
    body: { usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50, totalTokenCount: 150, ...members } },
  })

const answers: readonly Probe[] = [
  ...probesOf('', (body) => answer.genai({ body }), {
    responseId: 'other',
    modelVersion: 'other',
    createTime: '2020-09-13T12:26:40Z',
  }),
  holding('text', { text: 'again', thoughtSignature: 'c2lnbmF0dXJl' }),
  holding('thought', { text: 'They greet.', thought: true }),
  holding('functionCall', CALL),
  holding('functionCall with thoughtSignature', { ...CALL, thoughtSignature: 'c2lnbmF0dXJl' }),
  holding('inlineData', IMAGE),
  holding('executableCode', { executableCode: { language: 'PYTHON', code: 'print(1)' } }),
  holding('codeExecutionResult', { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }),
  ...'MAX_TOKENS SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII MALFORMED_FUNCTION_CALL OTHER'
    .split(' ')
    .map((word) => ({
      field: `candidates[].finishReason: ${word}`,
      body: answer.genai({ candidate: { finishReason: word } }),
      base: answer.genai(),
    })),
  ...probesOf('candidates[].', (candidate) => answer.genai({ candidate }), {
    finishMessage: 'It is over.',
    safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' }],
    citationMetadata: { citations: [{ startIndex: 0, endIndex: 4, uri: 'https://example.com', title: 'A' }] },
    groundingMetadata: {
      webSearchQueries: ['sky'],
      groundingChunks: [{ web: { uri: 'https://example.com', title: 'A' } }],
    },
    urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'https://example.com' }] },
    avgLogprobs: -1,
    logprobsResult: { chosenCandidates: [{ token: 'Good', logProbability: -1 }] },
  }),
  {
    field: 'candidates[1]',
    body: answer.genai({
      body: {
        candidates: ['Good day', 'Good night'].map((text, index) => ({
          index,
          content: { role: 'model', parts: [{ text }] },
          finishReason: 'STOP',
        })),
      },
    }),
    base: answer.genai(),
  },
  {
    field: 'promptFeedback',
    body: answer.genai({ body: { candidates: [], promptFeedback: { blockReason: 'SAFETY' } } }),
    base: answer.genai(),
  },
  ...probesOf('usageMetadata.', usage, {
    promptTokenCount: 101,
    candidatesTokenCount: 51,
    cachedContentTokenCount: 80,
    thoughtsTokenCount: 30,
    toolUsePromptTokenCount: 40,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 100 }],
  }),
]

/** All fields of genai, except those of streams. */
export const genaiProbes: Probes = { requests, answers }
