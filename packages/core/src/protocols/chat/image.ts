import type { JsonObject } from '../../lib/json.ts'
import { readAnswer, readRequest } from '../read-body.ts'
import type { ImageCodec } from '../media.ts'
import { decodeImageAnswer, encodeImageAnswer } from './image-answer.ts'
import { checkImageRequest } from './image-check.ts'
import { readImageForm, writeImageForm } from './image-form.ts'
import { imageSitesOf } from './image-sites.ts'
import { GENERATION, IMAGE_PATHS, IMAGE_TARGETS } from './image-operations.ts'
import { decodeImageRequest, encodeImageRequest } from './image-request.ts'
import type { WireGeneration } from './image-schema.ts'
import { decodeImageStream, encodeImageStream } from './image-stream.ts'
import { tapImages } from './image-tap.ts'

/** `/images/generations` and `/images/edits`. */
export const image: ImageCodec = {
  paths: IMAGE_PATHS,
  targets: IMAGE_TARGETS,
  check: (body, { operation }) => checkImageRequest(body, operation),
  decode: (body, context) =>
    readRequest(
      body,
      (unread) => checkImageRequest(unread, context.operation),
      () => decodeImageRequest(body as WireGeneration, context.operation !== GENERATION, context), // checked at the edge
    ),
  encode: encodeImageRequest,
  sites: imageSitesOf,
  /** The gateway's own members are removed. OpenAI refuses `response_format`: its models answer with base64. */
  edits(_body, model, dialect) {
    const edits = { model: JSON.stringify(model), provider: null, model_routing_config: null }
    return dialect?.['responseFormat'] === true ? edits : { ...edits, response_format: null }
  },
  answer: {
    decode: (body) => readAnswer(() => decodeImageAnswer(body)),
    encode: (answer, context) => encodeImageAnswer(answer, context) as JsonObject, // JSON by construction
  },
  stream: { decode: decodeImageStream, encode: encodeImageStream },
  form: { read: readImageForm, write: writeImageForm },
  tap: tapImages,
}
