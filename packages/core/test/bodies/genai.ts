import { SCHEMA, type Bodies } from './shared.ts'

const FUNCTION_CALL = { functionCall: { id: 'c1', name: 'weather', args: { city: 'Paris' } }, thoughtSignature: 'c2ln' }
const GENAI_USAGE = {
  promptTokenCount: 9,
  candidatesTokenCount: 4,
  totalTokenCount: 13,
  thoughtsTokenCount: 1,
  cachedContentTokenCount: 2,
  toolUsePromptTokenCount: 1,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 9 }],
}
const GROUNDING = {
  webSearchQueries: ['sky'],
  searchEntryPoint: { renderedContent: '<b>' },
  groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
  groundingSupports: [
    { segment: { startIndex: 0, endIndex: 2, text: 'It' }, groundingChunkIndices: [0], confidenceScores: [1] },
  ],
}
const GENAI_PARTS = [
  { text: 'Rayleigh?', thought: true, thoughtSignature: 'c2ln' },
  { text: 'It scatters.' },
  { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
  { executableCode: { language: 'PYTHON', code: 'print(1)', id: 'x1' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1', id: 'x1' } },
  FUNCTION_CALL,
]
const GENAI_CANDIDATE = {
  index: 0,
  finishReason: 'STOP',
  finishMessage: 'done',
  safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW', blocked: false }],
  citationMetadata: {
    citations: [{ startIndex: 0, endIndex: 2, uri: 'https://a.example', title: 'A', license: 'mit' }],
  },
  groundingMetadata: GROUNDING,
  avgLogprobs: -0.1,
  logprobsResult: {
    topCandidates: [{ candidates: [{ token: 'It', tokenId: 1, logProbability: -0.1 }] }],
    chosenCandidates: [{ token: 'It', tokenId: 1, logProbability: -0.1 }],
  },
}
const GENAI_TAIL = {
  usageMetadata: GENAI_USAGE,
  modelVersion: 'm',
  responseId: 'r',
  createTime: '2026-01-01T00:00:00Z',
}

/** Valid genai bodies. */
export const genai: Bodies = {
  request: {
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'Look' },
          {
            inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' },
            mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' },
          },
          {
            fileData: { mimeType: 'video/mp4', fileUri: 'gs://a/b.mp4' },
            videoMetadata: { startOffset: '1s', endOffset: '2s', fps: 1 },
          },
        ],
      },
      { role: 'model', parts: [{ text: 'Hm', thought: true }, { text: 'Hm.' }, FUNCTION_CALL] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'weather', response: { output: 'blue' } } }, { text: 'Why?' }],
      },
    ],
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'd',
            parameters: { type: 'OBJECT', properties: { city: { type: 'STRING', nullable: true } } },
          },
          { name: 'other', parametersJsonSchema: SCHEMA, response: { type: 'STRING' } },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    generationConfig: {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      maxOutputTokens: 100,
      candidateCount: 1,
      stopSequences: ['END'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.1,
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { city: { type: 'STRING' } } },
      responseModalities: ['TEXT'],
      responseLogprobs: true,
      logprobs: 2,
      thinkingConfig: { includeThoughts: true, thinkingBudget: 100 },
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'v' } } },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
    },
    labels: { a: 'b' },
  },
  response: { candidates: [{ ...GENAI_CANDIDATE, content: { role: 'model', parts: GENAI_PARTS } }], ...GENAI_TAIL },
  events: [
    ...GENAI_PARTS.map((part) => ({
      candidates: [{ index: 0, content: { role: 'model', parts: [part] } }],
      ...GENAI_TAIL,
    })),
    { candidates: [{ ...GENAI_CANDIDATE, content: { role: 'model', parts: [{ text: 'ä' }] } }], ...GENAI_TAIL },
  ],
  error: {
    error: {
      code: 429,
      message: 'Slower',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' }],
    },
  },
}
