import { DragomanError } from '../../ir/error.ts'
import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { DrawnImage, ImageAnswer, ImageLook } from '../../ir/image.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Source } from '../../ir/part.ts'
import { standardBase64 } from '../../lib/base64.ts'
import { defined } from '../../lib/members.ts'
import { isObject, listOf, numberOf, objectOf, optionalString } from '../../lib/json.ts'
import type { Encoding } from '../context.ts'
import { notAnAnswer } from '../read-body.ts'
import type { MediaEncoding } from '../media.ts'
import { reportUnsupported } from '../member-tables.ts'
import { decodeErrorObject } from '../error-object.ts'
import { decodeFormat, encodeFormat, typeOf } from './image-formats.ts'
import { IMAGE_TABLES } from './image-members.ts'
import { drawnImage, imageAnswer, type WireDrawn, type WireImageAnswer } from './image-schema.ts'
import { decodeImageUsage, encodeImageUsage } from './image-usage.ts'
import { NAME } from './schema.ts'

const ANSWER = known(imageAnswer, { apart: ['data', 'usage'] })
const IMAGE = known(drawnImage)

export function decodeImageAnswer(wire: WireImageAnswer): ImageAnswer {
  if ('error' in wire && wire.error != null) throw decodeErrorObject(wire)
  if (!Array.isArray(wire.data)) throw notAnAnswer()
  const look = decodeLook(wire, wire.created)
  const answer = defined({
    ...look,
    images: listOf(wire.data).map((each) => decodeImage(objectOf(each), look.format)),
    usage: isObject(wire.usage) ? decodeImageUsage(wire.usage) : undefined,
  })
  return keep(answer, NAME, unknownOf(wire, ANSWER))
}

function decodeImage(wire: WireDrawn, format: string | undefined): DrawnImage {
  const image = defined({ source: decodeDrawn(wire, format), prompt: optionalString(wire.revised_prompt) })
  return keep(image, NAME, unknownOf(wire, IMAGE))
}

/** The image of an answer or an event; undefined if there is none. */
export function decodeDrawn({ b64_json, url }: WireDrawn, format: string | undefined): Source | undefined {
  const data = optionalString(b64_json)
  // An empty member beside the other one is not an image.
  if (data) return { kind: 'base64', mime: typeOf(data, format), data: standardBase64(data) }
  const address = optionalString(url)
  return address ? { kind: 'url', url: address } : undefined
}

type WireLook = Pick<WireImageAnswer, 'background' | 'output_format' | 'quality' | 'size'>

/** What an answer or an event says about its images. */
export function decodeLook(wire: WireLook, created: unknown): ImageLook {
  return defined({
    created: numberOf(created),
    size: optionalString(wire.size),
    quality: optionalString(wire.quality),
    background: optionalString(wire.background),
    format: decodeFormat(optionalString(wire.output_format)),
  })
}

/** Throws if all images were blocked: in chat that is an error. */
export function encodeImageAnswer(answer: ImageAnswer, context: MediaEncoding): WireImageAnswer {
  const { losses } = context
  const { created, images, usage } = answer
  refuseBlocked(images)
  const data = images.flatMap((image, index) => encodeImage(image, answer.format, losses.at('images', index), context))
  if (created === undefined) losses.added(['created'], context.now, 'chat tells when it was created')
  reportForeignExtras(answer.extras, NAME, losses)
  const wire = defined({
    created: created ?? context.now,
    data,
    ...encodeLook(answer, losses),
    usage: usage && encodeImageUsage(usage, losses.at('usage'), context),
  })
  return restore(NAME, answer, wire)
}

/** The error of OpenAI for a request whose images are all blocked. */
export function refuseBlocked(images: readonly DrawnImage[]): void {
  const blocked = images.find(({ source }) => source === undefined)
  if (blocked === undefined || images.some(({ source }) => source !== undefined)) return
  throw blockedError(blocked)
}

export function blockedError({ blocked }: DrawnImage): DragomanError {
  const message = blocked ?? 'The image was blocked by the safety system of the model.'
  return new DragomanError('invalid-request', message, { code: 'moderation_blocked' })
}

function encodeImage(
  image: DrawnImage,
  format: string | undefined,
  losses: Losses,
  context: Encoding,
): readonly WireDrawn[] {
  const drawn = encodeDrawn(image, format, losses)
  if (drawn === undefined) return []
  reportUnsupported(image, IMAGE_TABLES.image, losses, context)
  reportForeignExtras(image.extras, NAME, losses)
  return [restore(NAME, image, defined({ revised_prompt: image.prompt }, drawn))]
}

/** The members with the image; undefined, and reported, if chat has no member for it. */
export function encodeDrawn(
  { source }: DrawnImage,
  format: string | undefined,
  losses: Losses,
): Pick<WireDrawn, 'b64_json' | 'url'> | undefined {
  if (source?.kind === 'base64') {
    const { data, mime } = source
    const read = typeOf(data, encodeFormat(format) === undefined ? undefined : format)
    if (read !== mime) losses.changed(['source', 'mime'], read, 'chat has one format for all images')
    return { b64_json: data }
  }
  if (source?.kind === 'url') {
    if (source.mime !== undefined) losses.dropped(['source', 'mime'], 'a URL of chat has no type')
    return { url: source.url }
  }
  losses.dropped([], source === undefined ? 'chat has no blocked images' : 'chat has no such image')
  return undefined
}

export function encodeLook({ size, quality, background, format }: ImageLook, losses: Losses): WireLook {
  const output_format = encodeFormat(format)
  if (format !== undefined && output_format === undefined) losses.dropped(['format'], 'chat has no such format')
  return defined({ background, output_format, quality, size })
}
