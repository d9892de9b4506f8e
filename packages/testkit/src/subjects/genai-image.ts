import type { Json, JsonObject } from '@dragoman/core'
import { withStandardData } from './base64.ts'

/** Base64 is standard; words have one case; parameters are together; the mask is last, and has a mode. */
export function canonImageRequest(wire: JsonObject): JsonObject {
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
export function canonImageAnswer(wire: JsonObject): JsonObject {
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
