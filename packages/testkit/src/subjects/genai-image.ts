import type { Json, JsonObject } from '@dragoman/core'
import { acceptPredictRequest, acceptPredictImagesAnswer } from '../doubles/genai-predict.ts'
import { genaiImageAnswer, genaiImageRequest } from '../generators/wire-genai-image.ts'
import type { ImageSubject } from '../laws/image-subject.ts'
import { withStandardData } from './base64.ts'

const OPERATION = 'predict'

/** The subject of the images of the genai protocol. */
export const genaiImages: ImageSubject = {
  wires: { request: genaiImageRequest().map((body) => ({ operation: OPERATION, body })), answer: genaiImageAnswer() },
  canon: {
    request: ({ body }) => ({ operation: OPERATION, body: canonRequest(body) }),
    answer: canonAnswer,
  },
  dialects: [undefined],
  accepts: { request: ({ body }) => acceptPredictRequest(body), answer: acceptPredictImagesAnswer },
  shapes: {
    request: {
      images: (size) =>
        calling({
          referenceImages: Array.from({ length: size }, (_, referenceId) => ({
            referenceType: 'REFERENCE_TYPE_RAW',
            referenceId,
            referenceImage: { ...IMAGE, x_more: 1 },
          })),
        }),
      data: (size) => calling({ image: { ...IMAGE, bytesBase64Encoded: 'AAAA'.repeat(size * 500) } }),
      'unknown members': (size) => calling(unknown(size)),
    },
    answer: {
      images: (size) => ({ predictions: Array.from({ length: size }, () => ({ ...IMAGE, x_more: 1 })) }),
      'unknown members': (size) => ({ predictions: [{ ...IMAGE, ...unknown(size) }], ...unknown(size) }),
    },
  },
}

const IMAGE = { bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }

function calling(instance: JsonObject) {
  return { operation: OPERATION, body: { instances: [{ prompt: 'a boat', ...instance }] } }
}

function unknown(size: number): JsonObject {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => [`x_${index}`, index]))
}

/** Base64 is standard; words have one case; parameters are together; the mask is last, and has a mode. */
function canonRequest(wire: JsonObject): JsonObject {
  const { instances, parameters, imageSize, quality, sampleImageSize, ...rest } = withStandardData(wire)
  const [instance = {}] = listOf(instances)
  const { referenceImages, ...others } = instance
  const all = canonParameters({ ...given({ imageSize, quality, sampleImageSize }), ...objectOf(parameters) })
  const references = listOf(referenceImages)
  const ordered = [...references.filter((each) => !isMask(each)), ...references.filter(isMask).map(withMode)]
  return {
    ...rest,
    instances: [{ ...others, ...(ordered.length === 0 ? {} : { referenceImages: ordered }) }],
    ...(Object.keys(all).length === 0 ? {} : { parameters: all }),
  }
}

/** Elements about the prompt are last. */
function canonAnswer(wire: JsonObject): JsonObject {
  const { predictions, ...rest } = withStandardData(wire)
  const isAboutPrompt = ({ contentType }: JsonObject) => contentType === 'Positive Prompt'
  const all = listOf(predictions)
  return { ...rest, predictions: [...all.filter((each) => !isAboutPrompt(each)), ...all.filter(isAboutPrompt)] }
}

function canonParameters({
  personGeneration,
  safetySetting,
  sampleImageSize,
  outputOptions,
  ...rest
}: JsonObject): JsonObject {
  const { mimeType, ...output } = objectOf(outputOptions)
  const options = { ...output, ...given({ mimeType: lower(mimeType) }) }
  return {
    ...rest,
    ...given({
      personGeneration: lower(personGeneration),
      safetySetting: lower(safetySetting)?.toUpperCase(),
      sampleImageSize: lower(sampleImageSize)?.toUpperCase(),
    }),
    ...(Object.keys(options).length === 0 ? {} : { outputOptions: options }),
  }
}

function isMask({ referenceType }: JsonObject): boolean {
  return referenceType === 'REFERENCE_TYPE_MASK'
}

function withMode({ maskImageConfig, ...mask }: JsonObject): JsonObject {
  return { ...mask, maskImageConfig: { maskMode: 'MASK_MODE_USER_PROVIDED', ...objectOf(maskImageConfig) } }
}

function lower(word: Json | undefined): string | undefined {
  return typeof word === 'string' ? word.toLowerCase() : undefined
}

function given(members: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {} // neither null nor a list
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : []) as readonly JsonObject[] // generated as objects
}
