import {
  atLeast,
  atMost,
  filled,
  flag,
  kept,
  list,
  number,
  object,
  optional,
  positive,
  refine,
  text,
  whole,
  words,
  type Infer,
  type Unread,
} from '../../lib/grammar/schema.ts'

/** The wire of `:predict` for images, as clients send it. Objects are loose: unknown members are kept. */

const imageType = refine(text, (type) => /^image\/[\w.+-]+$/i.test(type), 'is not the media type of an image')
/** An image of a request. */
export const image = object({
  bytesBase64Encoded: optional(filled(text)),
  gcsUri: optional(filled(text)),
  mimeType: optional(imageType),
})

const reference = object({
  referenceType:
    filled(
      words<
        | 'REFERENCE_TYPE_RAW'
        | 'REFERENCE_TYPE_MASK'
        | 'REFERENCE_TYPE_STYLE'
        | 'REFERENCE_TYPE_SUBJECT'
        | 'REFERENCE_TYPE_CONTROL'
        | 'REFERENCE_TYPE_CONTENT'
      >(),
    ),
  referenceId: whole,
  referenceImage: optional(image),
  maskImageConfig: optional(object({ maskMode: optional(text), ...({} as Unread<'maskClasses' | 'dilation'>) })),
  ...({} as Unread<'styleImageConfig' | 'subjectImageConfig' | 'controlImageConfig'>),
})

const instance = object({
  prompt: filled(text),
  image: optional(image),
  referenceImages: optional(list(reference)),
})

const PEOPLE: ReadonlySet<string> = new Set(['dont_allow', 'allow_adult', 'allow_all'])
type Filter = `BLOCK_${'LOW_AND_ABOVE' | 'MEDIUM_AND_ABOVE' | 'ONLY_HIGH' | 'NONE'}`
type People = 'dont_allow' | 'allow_adult' | 'allow_all'

/** Clients give these among the parameters or beside them, where a flat extra body of an SDK puts them. */
const passthrough = {
  imageSize: optional(
    refine(text, (size) => /^(auto|\d+x\d+)$/.test(size), 'must be a size such as 1024x1024, or auto'),
  ),
  quality: optional(filled(words<'low' | 'medium' | 'high' | 'auto'>())),
  sampleImageSize: optional(filled(words<'1K' | '2K' | '4K'>())),
}

const parameters = object({
  sampleCount: optional(positive),
  negativePrompt: optional(text),
  aspectRatio: optional(
    refine(text, (ratio) => /^\d+(\.\d+)?:\d+(\.\d+)?$/.test(ratio), 'must be an aspect ratio such as 16:9'),
  ),
  outputOptions: optional(
    object({ mimeType: optional(imageType), compressionQuality: optional(atMost(atLeast(whole, 0), 100)) }),
  ),
  seed: optional(whole),
  enhancePrompt: optional(flag),
  personGeneration: optional(
    refine(
      words<People | Uppercase<People>>(),
      (people) => PEOPLE.has(people.toLowerCase()),
      'must be dont_allow, allow_adult or allow_all',
    ),
  ),
  safetySetting: optional(filled(words<Filter>())),
  includeRaiReason: optional(flag),
  addWatermark: optional(flag),
  guidanceScale: optional(number),
  ...passthrough,
  ...({} as Unread<'storageUri' | 'language' | 'includeSafetyAttributes' | 'editMode' | 'editConfig'>),
})

export const predictRequest = object({
  instances: refine(list(instance), ({ length }) => length === 1, 'must have exactly one element'),
  parameters: optional(parameters),
  ...passthrough,
  labels: kept,
})

/** The body of `POST /models/{model}:predict` that asks for images. */
export type PredictRequest = Infer<typeof predictRequest>
export type WireInstance = Infer<typeof instance>
export type WireReference = Infer<typeof reference>
export type WireImageSource = Infer<typeof image>
export type WireParameters = Infer<typeof parameters>

export const prediction = object({
  bytesBase64Encoded: optional(text),
  mimeType: optional(text),
  gcsUri: optional(text),
  prompt: optional(text),
  raiFilteredReason: optional(text),
  ...({} as Unread<'safetyAttributes' | 'contentType'>),
})

export const predictImagesAnswer = object({
  predictions: list(prediction),
  ...({} as Unread<'deployedModelId' | 'model' | 'modelDisplayName' | 'modelVersionId' | 'metadata'>),
})

/** The answer to it. */
export type PredictImagesAnswer = Infer<typeof predictImagesAnswer>
export type WirePrediction = Infer<typeof prediction>
