import {
  kept,
  atLeast,
  atMost,
  filled,
  flag,
  json,
  jsonLike,
  list,
  mapOf,
  number,
  object,
  openWords,
  optional,
  positive,
  refine,
  share,
  text,
  textOr,
  upTo,
  whole,
  words,
  type Infer,
  type KeptWord,
  type Unread,
} from '../../lib/grammar/schema.ts'
import { inlineData } from '../../lib/data-url.ts'

/** The name of this protocol, and the seal domain of signatures in its own fields. */
export const NAME = 'genai'
export const ISSUER = 'google'

/** The wire, as clients send it. Objects are loose: unknown members are kept. */

/** The media types that the specification lists. */
const MIME_TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  'audio/mpeg',
  'audio/mp3',
  'audio/wav',
  'image/png',
  'image/jpeg',
  'image/webp',
  'text/plain',
  'video/mov',
  'video/mpeg',
  'video/mp4',
  'video/mpg',
  'video/avi',
  'video/wmv',
  'video/mpegps',
  'video/flv',
  'video/x-ms-wmv',
])

/** Parameters of a media type, such as a charset, do not count. */
export function isAccepted(mime: string): boolean {
  return MIME_TYPES.has((mime.split(';', 1)[0] ?? '').trim().toLowerCase())
}

/** Any media type: an upstream may take more than the specification lists. */
const mimeType = refine(text, (type) => /^[^\s/;]+\/[^\s/;]+/.test(type), 'is not a media type')
const media = {
  inlineData: optional(object({ mimeType, data: inlineData, displayName: optional(text) })),
  fileData: optional(object({ mimeType: optional(mimeType), fileUri: filled(text), displayName: optional(text) })),
}

const functionResponse = object({
  id: optional(text),
  name: filled(text),
  response: optional(json),
  parts: optional(list(object({ ...media, ...({} as Unread<'mediaProcessing'>) }))),
  ...({} as Unread<'scheduling'>),
  willContinue: kept,
})
const functionCall = object({
  id: optional(text),
  name: filled(text),
  args: optional(json),
  partialArgs: kept,
  willContinue: kept,
})
type Outcome = `OUTCOME_${'UNSPECIFIED' | 'OK' | 'FAILED' | 'DEADLINE_EXCEEDED'}`
const data = {
  text: optional(text),
  ...media,
  functionCall: optional(functionCall),
  functionResponse: optional(functionResponse),
  executableCode: optional(
    object({ language: words<'LANGUAGE_UNSPECIFIED' | 'PYTHON'>(), code: text, ...({} as Unread<'id'>) }),
  ),
  codeExecutionResult: optional(object({ outcome: words<Outcome>(), output: optional(text), ...({} as Unread<'id'>) })),
}
const fps = refine(number, (value) => value > 0, 'must be more than 0')

type Level = 'UNSPECIFIED' | 'LOW' | 'MEDIUM' | 'HIGH' | 'ULTRA_HIGH'
type Resolution = `MEDIA_RESOLUTION_${Level}`

/** A part has one data field, or no members. A part without a known field may have a future one. */
export const part = refine(
  object({
    ...data,
    thought: optional(flag),
    thoughtSignature: optional(text),
    videoMetadata: optional(object({ startOffset: optional(text), endOffset: optional(text), fps: optional(fps) })),
    mediaResolution: optional(textOr(object({ level: optional(words<Resolution>()), numTokens: kept }))),
    ...({} as Unread<'mediaProcessing' | 'audioTranscription' | 'speechMetadata' | 'partMetadata'>),
    ...({} as Unread<'toolCall' | 'toolResponse'>),
  }),
  hasOneField,
  'must have no more than one data field',
)

function hasOneField(part: { readonly [member: string]: unknown }): boolean {
  let fields = 0
  for (const member in part) if (DATA.has(member)) fields++
  return fields <= 1
}

const DATA: ReadonlySet<string> = new Set(Object.keys(data))

export const content = object({ role: optional(openWords('user', 'model', 'function')), parts: filled(list(part)) })
const instruction = object({ role: optional(text), parts: list(part) })

/** A schema is data: its members are named only for their spelling. */
const openApi: typeof json = jsonLike(() => openApiNames)
const openApiNames = object({
  propertyOrdering: kept,
  minItems: kept,
  maxItems: kept,
  minLength: kept,
  maxLength: kept,
  minProperties: kept,
  maxProperties: kept,
  properties: optional(mapOf(openApi)),
  items: optional(openApi),
  anyOf: optional(list(openApi)),
})

export const declaration = object({
  name: filled(text),
  description: optional(text),
  parameters: optional(openApi),
  parametersJsonSchema: optional(json),
  responseJsonSchema: kept,
  ...({} as Unread<'response' | 'behavior'>),
})
const tool = object({
  functionDeclarations: optional(list(declaration)),
  googleSearch: kept,
  googleSearchRetrieval: kept,
  enterpriseWebSearch: kept,
  googleMaps: kept,
  codeExecution: kept,
  urlContext: kept,
  retrieval: kept,
  fileSearch: kept,
  computerUse: kept,
  ...({} as Unread<'exaAiSearch' | 'parallelAiSearch' | 'mcpServers'>),
})
const toolConfig = object({
  functionCallingConfig: optional(
    object({
      mode: optional(openWords('MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED')),
      allowedFunctionNames: optional(list(text)),
      streamFunctionCallArguments: kept,
    }),
  ),
  retrievalConfig: optional(object({ latLng: kept, languageCode: kept })),
  ...({} as Unread<'includeServerSideToolInvocations'>),
})

type Category =
  | 'UNSPECIFIED'
  | 'HATE_SPEECH'
  | 'HARASSMENT'
  | 'SEXUALLY_EXPLICIT'
  | 'DANGEROUS_CONTENT'
  | 'CIVIC_INTEGRITY'
  | 'JAILBREAK'
  | `IMAGE_${'HATE' | 'HARASSMENT' | 'SEXUALLY_EXPLICIT' | 'DANGEROUS_CONTENT'}`
type Threshold =
  | 'OFF'
  | `BLOCK_${'NONE' | 'ONLY_HIGH' | 'MEDIUM_AND_ABOVE' | 'LOW_AND_ABOVE'}`
  | 'HARM_BLOCK_THRESHOLD_UNSPECIFIED'
export const safetySetting = object({
  category: words<`HARM_CATEGORY_${Category}`>(),
  threshold: words<Threshold>(),
  method: optional(words<'HARM_BLOCK_METHOD_UNSPECIFIED' | 'SEVERITY' | 'PROBABILITY'>()),
})

const penalty = optional(refine(atLeast(number, -2), (value) => value < 2, 'must be less than 2'))

const thinkingConfig = object({
  thinkingBudget: optional(atLeast(whole, -1)),
  thinkingLevel: optional(words<'THINKING_LEVEL_UNSPECIFIED' | 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH'>()),
  includeThoughts: optional(flag),
})
const voiceConfig = optional(
  object({
    prebuiltVoiceConfig: optional(object({ voiceName: kept })),
    replicatedVoiceConfig: optional(
      object({
        mimeType: kept,
        voiceSampleAudio: kept,
        voiceSample: kept,
        ...({} as Unread<'consentAudio' | 'voiceConsentSignature'>),
      }),
    ),
    ...({} as Unread<'voice'>),
  }),
)
const speakers = object({ speakerVoiceConfigs: optional(list(object({ voiceConfig, ...({} as Unread<'speaker'>) }))) })
const imageConfig = object({
  aspectRatio: optional(text),
  imageSize: optional(text),
  outputCompressionQuality: optional(number),
  outputMimeType: optional(text),
  personGeneration: kept,
  ...({} as Unread<'prominentPeople' | 'imageOutputOptions'>),
})
const routingConfig = object({
  autoMode: optional(object({ modelRoutingPreference: kept })),
  manualMode: optional(object({ modelName: kept })),
})
const generationConfig = object({
  temperature: optional(number),
  topP: optional(share),
  topK: optional(whole),
  candidateCount: optional(positive),
  maxOutputTokens: optional(positive),
  stopSequences: optional(upTo(5, list(text))),
  presencePenalty: penalty,
  frequencyPenalty: penalty,
  seed: optional(whole),
  responseMimeType: optional(openWords('text/plain', 'application/json', 'text/x.enum')),
  responseSchema: optional(openApi),
  responseJsonSchema: optional(json),
  responseLogprobs: optional(flag),
  logprobs: optional(atMost(positive, 20)),
  responseModalities: optional(list(words<'TEXT' | 'IMAGE' | 'AUDIO' | 'VIDEO' | 'MODALITY_UNSPECIFIED'>())),
  audioTimestamp: optional(flag),
  thinkingConfig: optional(thinkingConfig),
  mediaResolution: optional(words<Resolution | Level>()),
  speechConfig: optional(
    object({ voiceConfig, multiSpeakerVoiceConfig: optional(speakers), languageCode: optional(text) }),
  ),
  routingConfig: optional(routingConfig),
  imageConfig: optional(imageConfig),
  enableAffectiveDialog: optional(flag),
  modelConfig: kept,
  modelSelectionConfig: kept,
  ...({} as Unread<'audioTranscriptionConfig' | 'enableEnhancedCivicAnswers' | 'responseFormat' | 'translationConfig'>),
})

export const genaiRequest = object({
  contents: filled(list(content)),
  systemInstruction: optional(instruction),
  tools: optional(list(tool)),
  toolConfig: optional(toolConfig),
  safetySettings: optional(list(safetySetting)),
  cachedContent: optional(filled(text)),
  generationConfig: optional(generationConfig),
  labels: kept,
  serviceTier: kept as KeptWord<'unspecified' | 'standard' | 'flex' | 'priority'>, // its value is not read
  ...({} as Unread<'modelArmorConfig' | 'continuationToken' | 'outputConfig' | 'store'>),
})

/** The body of `POST /models/{model}:generateContent`. */
export type GenaiRequest = Infer<typeof genaiRequest>
export type WireContent = Infer<typeof content>
export type WirePart = Infer<typeof part>
export type WireTool = Infer<typeof tool>
export type WireDeclaration = Infer<typeof declaration>
export type WireToolConfig = Infer<typeof toolConfig>
export type WireGeneration = Infer<typeof generationConfig>
export type WireThinking = Infer<typeof thinkingConfig>
export type WireFunctionResponse = Infer<typeof functionResponse>
