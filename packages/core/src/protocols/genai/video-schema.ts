import {
  filled,
  flag,
  list,
  object,
  optional,
  positive,
  text,
  words,
  whole,
  refine,
  type Infer,
  type Unread,
} from '../../lib/grammar/schema.ts'
import { image } from './image-schema.ts'

/** The wire of videos, as clients send it. Objects are loose: unknown members are kept. */

const reference = object({ image: image, referenceType: optional(words<'ASSET' | 'STYLE'>()) })
const instance = object({
  prompt: optional(text),
  image: optional(image),
  lastFrame: optional(image),
  referenceImages: optional(list(reference)),
  ...({} as Unread<'video' | 'mask'>),
})
const parameters = object({
  sampleCount: optional(positive),
  aspectRatio: optional(text),
  resolution: optional(text),
  durationSeconds: optional(positive),
  generateAudio: optional(flag),
  negativePrompt: optional(text),
  enhancePrompt: optional(flag),
  personGeneration: optional(text),
  seed: optional(whole),
  fps: optional(positive),
  ...({} as Unread<'storageUri' | 'pubsubTopic' | 'compressionQuality' | 'resizeMode'>),
})

/** The body of `:predictLongRunning`. */
export const videoRequest = object({
  instances: refine(list(instance), ({ length }) => length === 1, 'must have exactly one element'),
  parameters: optional(parameters),
  ...({} as Unread<'labels' | 'webhookConfig'>),
})
/** The body of `:fetchPredictOperation`. */
export const videoPoll = object({ operationName: filled(text) })

export type WireReference = Infer<typeof reference>
export type WireInstance = Infer<typeof instance>
export type WireParameters = Infer<typeof parameters>
export type WireVideoRequest = Infer<typeof videoRequest>

/** An operation, as upstreams answer it; read leniently. */
export interface WireOperation {
  readonly name?: string
  readonly done?: boolean
  readonly response?: WireVideos
  readonly error?: WireStatus
}

/** The videos, in the form of Vertex AI. */
export interface WireVideos {
  readonly videos?: readonly WireVideo[]
  readonly raiMediaFilteredCount?: number
  readonly raiMediaFilteredReasons?: readonly string[]
  /** The form of the Gemini API. */
  readonly generateVideoResponse?: WireSamples
}

/** The videos, in the form of the Gemini API. */
export interface WireSamples {
  readonly generatedSamples?: readonly { readonly video?: WireSample }[]
  readonly raiMediaFilteredCount?: number
  readonly raiMediaFilteredReasons?: readonly string[]
}

/** A video of Vertex AI. */
export interface WireVideo {
  readonly gcsUri?: string
  readonly bytesBase64Encoded?: string
  readonly mimeType?: string
}

/** A video of the Gemini API. */
export interface WireSample {
  readonly uri?: string
  readonly encodedVideo?: string
  readonly encoding?: string
}

/** A google.rpc.Status. */
export interface WireStatus {
  readonly code?: number
  readonly message?: string
}
