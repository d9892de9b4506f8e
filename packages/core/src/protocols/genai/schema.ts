import * as z from 'zod/mini'
import { list } from '../../lib/check.ts'
import { compileFits, lazily } from '../../lib/fits.ts'

/** The name of this protocol, and the seal domain of signatures in its own fields. */
export const NAME = 'genai'
export const ISSUER = 'google'

/** The wire, as clients send it. Objects are loose: what is not named here is kept. */

const json = z.record(z.string(), z.unknown())

/** What may be sent inline or by reference. */
export const MIME_TYPES: ReadonlySet<string> = new Set([
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

const mimeType = z.string().check(z.refine(isAccepted, `is not one of ${[...MIME_TYPES].join(', ')}`))
const inlineData = z.looseObject({ mimeType, data: z.string(), displayName: z.optional(z.string()) })
const fileData = z.looseObject({
  mimeType: z.optional(mimeType),
  fileUri: z.string().check(z.minLength(1)),
  displayName: z.optional(z.string()),
})
const media = { inlineData: z.optional(inlineData), fileData: z.optional(fileData) }

const functionCall = z.looseObject({
  id: z.optional(z.string()),
  name: z.string().check(z.minLength(1)),
  args: z.optional(json),
})
const functionResponse = z.looseObject({
  id: z.optional(z.string()),
  name: z.string().check(z.minLength(1)),
  response: z.optional(json),
  parts: z.optional(z.array(z.looseObject(media))),
})
const executableCode = z.looseObject({ language: z.string(), code: z.string() })
const codeExecutionResult = z.looseObject({ outcome: z.string(), output: z.optional(z.string()) })
const videoMetadata = z.looseObject({
  startOffset: z.optional(z.string()),
  endOffset: z.optional(z.string()),
  fps: z.optional(z.number().check(z.gt(0))),
})

const DATA: ReadonlySet<string> = new Set([
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
])

/** A part has one data field. One without a known field may have one of a later day. */
const anyPart = z
  .looseObject({
    text: z.optional(z.string()),
    ...media,
    functionCall: z.optional(functionCall),
    functionResponse: z.optional(functionResponse),
    executableCode: z.optional(executableCode),
    codeExecutionResult: z.optional(codeExecutionResult),
    thought: z.optional(z.boolean()),
    thoughtSignature: z.optional(z.string()),
    videoMetadata: z.optional(videoMetadata),
    mediaResolution: z.optional(z.union([z.string(), z.looseObject({ level: z.optional(z.string()) })])),
  })
  .check(z.refine(hasOneField, 'must have one data field'))

/** Most parts say a text and nothing else: one look is enough for them. */
function quickly<T extends z.ZodMiniType>(schema: T, plain: (value: unknown) => boolean): z.ZodMiniType<z.output<T>> {
  const full = lazily(() => compileFits(schema))
  const check = (payload: z.core.ParsePayload) => {
    const result = z.safeParse(schema, payload.value)
    const issues = result.success ? [] : result.error.issues
    payload.issues.push(...(issues.map((issue) => ({ ...issue, input: payload.value })) as z.core.$ZodRawIssue[])) // issues of zod's own
  }
  const fits = (value: unknown) => plain(value) || full(value)
  return z.unknown().check(Object.assign(check, { fits })) as z.ZodMiniType<z.output<T>> // it has passed the schema
}

function isPlainText(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  for (const member in part) if (member !== 'text') return false
  return 'text' in part && typeof part.text === 'string'
}

const part = quickly(anyPart, isPlainText)

function hasOneField(part: { readonly [member: string]: unknown }): boolean {
  let members = 0
  let fields = 0
  for (const member in part) {
    members++
    if (DATA.has(member)) fields++
  }
  return members > 0 && fields <= 1
}

const content = z.looseObject({
  role: z.optional(z.enum(['user', 'model', 'function'])),
  parts: list(part).check(z.minLength(1)),
})
const instruction = z.looseObject({ role: z.optional(z.string()), parts: list(part) })

const declaration = z.looseObject({
  name: z.string().check(z.minLength(1)),
  description: z.optional(z.string()),
  parameters: z.optional(json),
  parametersJsonSchema: z.optional(json),
})
const tool = z.looseObject({ functionDeclarations: z.optional(list(declaration)) })
const toolConfig = z.looseObject({
  functionCallingConfig: z.optional(
    z.looseObject({
      mode: z.optional(z.enum(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'])),
      allowedFunctionNames: z.optional(z.array(z.string())),
    }),
  ),
})

const categories =
  'UNSPECIFIED HATE_SPEECH HARASSMENT SEXUALLY_EXPLICIT DANGEROUS_CONTENT CIVIC_INTEGRITY JAILBREAK IMAGE_HATE IMAGE_HARASSMENT IMAGE_SEXUALLY_EXPLICIT IMAGE_DANGEROUS_CONTENT'
export const safetySetting = z.looseObject({
  category: z.enum(categories.split(' ').map((name) => `HARM_CATEGORY_${name}`)),
  threshold: z.enum([
    'OFF',
    'BLOCK_NONE',
    'BLOCK_ONLY_HIGH',
    'BLOCK_MEDIUM_AND_ABOVE',
    'BLOCK_LOW_AND_ABOVE',
    'HARM_BLOCK_THRESHOLD_UNSPECIFIED',
  ]),
  method: z.optional(z.enum(['HARM_BLOCK_METHOD_UNSPECIFIED', 'SEVERITY', 'PROBABILITY'])),
})

/** Enums whose case clients do not agree on. */
const word = (...words: string[]) =>
  z.string().check(z.refine((value) => words.includes(value.toUpperCase()), `is not one of ${words.join(', ')}`))
const penalty = z.optional(z.number().check(z.gte(-2), z.lt(2)))

const thinkingConfig = z.looseObject({
  thinkingBudget: z.optional(z.int().check(z.gte(-1))),
  thinkingLevel: z.optional(word('THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH')),
  includeThoughts: z.optional(z.boolean()),
})
const speechConfig = z.looseObject({
  voiceConfig: z.optional(json),
  multiSpeakerVoiceConfig: z.optional(json),
  languageCode: z.optional(z.string()),
})
const imageConfig = z.looseObject({
  aspectRatio: z.optional(z.string()),
  imageSize: z.optional(z.string()),
  outputCompressionQuality: z.optional(z.number()),
  outputMimeType: z.optional(z.string()),
})
const resolutions = ['UNSPECIFIED', 'LOW', 'MEDIUM', 'HIGH', 'ULTRA_HIGH'].flatMap((level) => [
  level,
  `MEDIA_RESOLUTION_${level}`,
])

const generationConfig = z.looseObject({
  temperature: z.optional(z.number()),
  topP: z.optional(z.number().check(z.gte(0), z.lte(1))),
  topK: z.optional(z.int()),
  candidateCount: z.optional(z.int().check(z.gte(1))),
  maxOutputTokens: z.optional(z.int().check(z.gte(1))),
  stopSequences: z.optional(z.array(z.string()).check(z.maxLength(5))),
  presencePenalty: penalty,
  frequencyPenalty: penalty,
  seed: z.optional(z.int()),
  responseMimeType: z.optional(z.enum(['text/plain', 'application/json', 'text/x.enum'])),
  responseSchema: z.optional(json),
  responseJsonSchema: z.optional(json),
  responseLogprobs: z.optional(z.boolean()),
  logprobs: z.optional(z.int().check(z.gte(1), z.lte(20))),
  responseModalities: z.optional(z.array(word('TEXT', 'IMAGE', 'AUDIO', 'MODALITY_UNSPECIFIED'))),
  audioTimestamp: z.optional(z.boolean()),
  thinkingConfig: z.optional(thinkingConfig),
  mediaResolution: z.optional(word(...resolutions)),
  speechConfig: z.optional(speechConfig),
  routingConfig: z.optional(z.looseObject({ autoMode: z.optional(json), manualMode: z.optional(json) })),
  imageConfig: z.optional(imageConfig),
  enableAffectiveDialog: z.optional(z.boolean()),
})

export const genaiRequest = z.looseObject({
  contents: list(content).check(z.minLength(1)),
  systemInstruction: z.optional(instruction),
  tools: z.optional(list(tool)),
  toolConfig: z.optional(toolConfig),
  safetySettings: z.optional(z.array(safetySetting)),
  cachedContent: z.optional(z.string().check(z.minLength(1))),
  generationConfig: z.optional(generationConfig),
})

export type GenaiRequest = z.infer<typeof genaiRequest>
export type WireContent = z.infer<typeof content>
export type WireInstruction = z.infer<typeof instruction>
export type WirePart = z.infer<typeof part>
export type WireTool = z.infer<typeof tool>
export type WireDeclaration = z.infer<typeof declaration>
export type WireToolConfig = z.infer<typeof toolConfig>
export type WireGeneration = z.infer<typeof generationConfig>
export type WireThinking = z.infer<typeof thinkingConfig>
export type WireFunctionResponse = z.infer<typeof functionResponse>

/** An answer, or one chunk of it, read leniently: nothing about an upstream's answer is taken for granted. */
export interface GenaiResponse {
  readonly candidates?: readonly WireCandidate[]
  readonly promptFeedback?: WireFeedback
  readonly usageMetadata?: WireUsage
  readonly modelVersion?: string
  readonly createTime?: string
  readonly responseId?: string
}

export interface WireCandidate {
  readonly content?: { readonly role?: string; readonly parts?: readonly WirePart[] }
  readonly finishReason?: string
  readonly finishMessage?: string
  readonly safetyRatings?: readonly { readonly [key: string]: unknown }[]
  readonly citationMetadata?: { readonly citations?: readonly WireCitation[] }
  readonly groundingMetadata?: { readonly [key: string]: unknown }
  readonly avgLogprobs?: number
  readonly logprobsResult?: WireLogprobs
  readonly index?: number
}

export interface WireFeedback {
  readonly blockReason?: string
  readonly blockReasonMessage?: string
  readonly safetyRatings?: readonly { readonly [key: string]: unknown }[]
}

export interface WireCitation {
  readonly startIndex?: number
  readonly endIndex?: number
  readonly uri?: string
  readonly title?: string
  readonly license?: string
  readonly publicationDate?: { readonly [key: string]: unknown }
}

export interface WireLogprobs {
  readonly chosenCandidates?: readonly WireLogprob[]
  readonly topCandidates?: readonly { readonly candidates?: readonly WireLogprob[] }[]
}

export interface WireLogprob {
  readonly token: string
  readonly logProbability: number
}

export interface WireCount {
  readonly modality?: string
  readonly tokenCount?: number
}

export interface WireUsage {
  readonly promptTokenCount?: number
  readonly candidatesTokenCount?: number
  readonly totalTokenCount?: number
  readonly cachedContentTokenCount?: number
  readonly thoughtsTokenCount?: number
  readonly toolUsePromptTokenCount?: number
  readonly promptTokensDetails?: readonly WireCount[]
  readonly candidatesTokensDetails?: readonly WireCount[]
  readonly cacheTokensDetails?: readonly WireCount[]
}
