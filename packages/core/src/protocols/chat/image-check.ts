import { DragomanError } from '../../ir/error.ts'
import { base64Problem } from '../../lib/base64.ts'
import { parseDataUrl } from '../../lib/data-url.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { checkBody } from '../read-body.ts'
import { GENERATION } from './image-operations.ts'
import { imageEdit, imageGeneration } from './image-schema.ts'

const GENERATION_READER = createReader(imageGeneration)
const EDIT_READER = createReader(imageEdit)

/** Throws an error with the path if a request is invalid, also for an image that is not one. */
export function checkImageRequest(body: unknown, operation: string): JsonObject {
  if (operation === GENERATION) return checkBody(GENERATION_READER, body)
  const checked = checkBody(EDIT_READER, body)
  for (const member of ['image', 'images', 'mask']) checkImages(checked[member], member)
  return checked
}

/** An image, an object with one, or a list of them. */
function checkImages(value: Json | undefined, path: string): void {
  if (typeof value === 'string') checkImage(value, path)
  else if (Array.isArray(value)) value.forEach((item: Json, index) => checkImages(item, `${path}.${index}`))
  else if (isObject(value)) for (const key of ['image_url', 'url']) checkImages(value[key], `${path}.${key}`)
}

/** The types of images that some upstream takes. */
const TYPES: ReadonlySet<string> = new Set(
  'image/png image/jpeg image/jpg image/webp image/gif image/heic image/heif image/avif'.split(' '),
)

function checkImage(url: string, path: string): void {
  const problem = problemOf(url)
  if (problem !== undefined) throw new DragomanError('invalid-request', `${path}: ${problem}`, { param: path })
}

function problemOf(url: string): string | undefined {
  const inline = parseDataUrl(url)
  if (inline === undefined) return /^https?:\/\//i.test(url) ? undefined : 'must be a URL or a data URL in base64'
  if (!TYPES.has(inline.mime.toLowerCase())) return 'must be of type image/png, image/jpeg or image/webp'
  return inline.data === '' ? 'must not be empty' : base64Problem(inline.data)
}
