import { DragomanError } from '../../ir/error.ts'
import { camelKeys, namesOf } from '../../lib/grammar/camel.ts'
import { base64Problem } from '../../lib/base64.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { checkBody } from '../read-body.ts'
import { predictRequest, type PredictRequest, type WireImageSource, type WireReference } from './image-schema.ts'

const REQUEST = createReader(predictRequest)
const NAMES = namesOf(predictRequest)

/** Throws an error with the path if a request for images is invalid. The result has camelCase members. */
export function checkImageRequest(body: unknown): JsonObject {
  const checked = checkBody(REQUEST, isObject(body) ? spellImageRequest(body) : body)
  const { instances, parameters = {}, ...beside } = checked as PredictRequest // checkBody has checked it
  for (const member of ['imageSize', 'quality', 'sampleImageSize'] as const) {
    const differs = beside[member] !== undefined && (parameters[member] ?? beside[member]) !== beside[member]
    if (differs) throw wrong(member, `differs from parameters.${member}`)
  }
  for (const { image, referenceImages = [] } of instances) {
    if (image !== undefined) checkImage(image, 'instances.0.image')
    checkReferences(referenceImages, image !== undefined)
  }
  return checked
}

/** A request with its snake_case members renamed to camelCase, as the real REST API reads them. */
export function spellImageRequest(body: JsonObject): JsonObject {
  return camelKeys(body, NAMES)
}

export const USER_PROVIDED = 'MASK_MODE_USER_PROVIDED'

export function isMask({ referenceType }: WireReference): boolean {
  return referenceType === 'REFERENCE_TYPE_MASK'
}

function checkReferences(references: readonly WireReference[], hasImage: boolean): void {
  let masks = 0
  const ids = new Set<number>()
  for (const [index, reference] of references.entries()) {
    const { referenceId, referenceImage, maskImageConfig } = reference
    const path = `instances.0.referenceImages.${index}`
    if (ids.has(referenceId)) throw wrong(`${path}.referenceId`, 'must differ from the other ids')
    ids.add(referenceId)
    if (isMask(reference)) masks++
    if (masks > 1) throw wrong(path, 'there can be only one mask')
    // Other modes find the mask in the image.
    const needsImage = !isMask(reference) || (maskImageConfig?.maskMode ?? USER_PROVIDED) === USER_PROVIDED
    if (referenceImage !== undefined) checkImage(referenceImage, `${path}.referenceImage`)
    else if (needsImage) throw wrong(`${path}.referenceImage`, 'is required')
  }
  const mask = references.findIndex(isMask)
  if (mask >= 0 && !hasImage && references.length === 1)
    throw wrong(`instances.0.referenceImages.${mask}`, 'a mask needs an image to edit')
}

export function checkImage({ bytesBase64Encoded: data, gcsUri }: WireImageSource, path: string): void {
  if (data === undefined && gcsUri === undefined) throw wrong(`${path}.bytesBase64Encoded`, 'is required')
  if (data !== undefined && gcsUri !== undefined)
    throw wrong(`${path}.gcsUri`, 'cannot be combined with bytesBase64Encoded')
  const problem = data === undefined ? undefined : base64Problem(data)
  if (problem !== undefined) throw wrong(`${path}.bytesBase64Encoded`, problem)
}

export function wrong(path: string, why: string): DragomanError {
  return new DragomanError('invalid-request', `${path}: ${why}.`, { param: path })
}
