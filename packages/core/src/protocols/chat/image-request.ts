import { keep, known, restore, unknownOf, withoutMember } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { ImageDelivery, ImageRequest, ImageSettings, ReferenceImage } from '../../ir/image.ts'
import type { Losses } from '../../ir/loss.ts'
import { type Draft, defined } from '../../lib/members.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext, Encoding } from '../context.ts'
import type { MediaCall } from '../media.ts'
import { reportUnsupported } from '../member-tables.ts'
import { decodeFormat, encodeFormat } from './image-formats.ts'
import { IMAGE_TABLES } from './image-members.ts'
import { EDIT, GENERATION, JSON_EDIT } from './image-operations.ts'
import { decodeImageSource, encodeImageSource, type ImageSourceForm } from './image-source.ts'
import { imageEdit, imageGeneration, type WireEdit, type WireGeneration, type WireImageSource } from './image-schema.ts'
import { NAME } from './schema.ts'
import { encodeUser } from './settings.ts'

type WireRequest = WireGeneration & Partial<WireEdit>

const apart = ['provider', 'model_routing_config'] as const
const unread = ['safety_identifier', 'user'] as const
const KNOWN_GENERATION = known(imageGeneration, { apart, unread })
const KNOWN_EDIT = known(imageEdit, { apart: [...apart, 'image', 'images', 'mask'], unread })

/** The preferences about routes are not read: they are for the gateway, and go no further. */
export function decodeImageRequest(wire: WireRequest, isEdit: boolean, context: DecodeContext): ImageRequest {
  const { model, prompt, stream, partial_images: partials, response_format: form } = wire
  const request: Draft<ImageRequest> = {
    model,
    prompt,
    settings: decodeSettings(wire, isEdit),
    // Base64 is the default.
    delivery: defined({ stream, partials, form: form === 'url' ? form : undefined }) satisfies ImageDelivery,
  }
  if (isEdit) {
    request.references = imagesOf(wire).map((each) => decodeImageSource(each, context))
    if (wire.mask != null) request.mask = decodeImageSource(wire.mask, context)
  }
  const user = userMember(wire)
  if (user !== undefined) request.user = wire[user] as string // just seen
  return keep(request, NAME, withoutMember(unknownOf(wire, isEdit ? KNOWN_EDIT : KNOWN_GENERATION), user))
}

/** The member with the end user. The older one counts if the other is empty. */
function userMember({ safety_identifier, user }: WireRequest): 'safety_identifier' | 'user' | undefined {
  if (safety_identifier) return 'safety_identifier'
  return user ? 'user' : undefined
}

function imagesOf({ image, images }: Partial<WireEdit>): readonly WireImageSource[] {
  return [image ?? [], images ?? []].flat()
}

function decodeSettings(wire: WireRequest, isEdit: boolean): ImageSettings {
  return defined({
    count: wire.n,
    size: wire.size,
    quality: wire.quality,
    background: wire.background,
    format: decodeFormat(wire.output_format),
    compression: wire.output_compression,
    safety: wire.moderation,
    fidelity: isEdit ? wire.input_fidelity : undefined,
    style: isEdit ? undefined : wire.style,
  })
}

/** A request with images is an edit: a form by default, and JSON for images that no form can contain. */
export function encodeImageRequest(request: ImageRequest, context: EncodeContext): MediaCall {
  const { losses } = context
  const form = imageSourceForm(context)
  const images = (request.references ?? []).flatMap((each, index): readonly JsonObject[] => {
    const wire = encodeReference(each, form ?? 'image_url', losses.at('references', index), context)
    return wire === undefined ? [] : [wire]
  })
  const isEdit = images.length > 0
  const mask = isEdit ? encodeMask(request, form ?? 'image_url', losses.at('mask'), context) : undefined
  const isForm = isEdit && form === undefined && [...(request.references ?? []), request.mask ?? {}].every(isInForm)
  const { model, prompt } = request
  const members = {
    model,
    prompt,
    ...encodeSettings(request.settings, isEdit, losses.at('settings')),
    ...encodeDelivery(request.delivery, losses.at('delivery'), context),
    ...encodeUser(request.user, losses, context),
  }
  reportUnsupported(request, isEdit ? IMAGE_TABLES.edit : IMAGE_TABLES.generation, losses, context)
  reportUnsupported(
    request.settings,
    isEdit ? IMAGE_TABLES.editSettings : IMAGE_TABLES.generationSettings,
    losses.at('settings'),
    context,
  )
  reportForeignExtras(request.extras, NAME, losses)
  const given = isForm ? { image: images.map(urlOf), mask: mask && urlOf(mask) } : { images, mask }
  const body = restore(NAME, request, defined(isEdit ? given : {}, members)) as JsonObject // JSON by construction
  return { operation: isForm ? EDIT : isEdit ? JSON_EDIT : GENERATION, body }
}

/** The form of images in JSON that the upstream takes; undefined if it takes forms. */
function imageSourceForm({ dialect }: Encoding): ImageSourceForm | undefined {
  const edits = dialect?.['edits']
  return edits === 'json' ? 'image_url' : edits === 'url' ? 'url' : undefined
}

function encodeReference(
  image: ReferenceImage,
  form: ImageSourceForm,
  losses: Losses,
  context: Encoding,
): JsonObject | undefined {
  const wire = encodeImageSource(image.source, image, form, losses, context)
  if (wire === undefined) return undefined
  reportUnsupported(image, IMAGE_TABLES.reference, losses, context)
  reportForeignExtras(image.extras, NAME, losses)
  return wire
}

function encodeMask({ mask }: ImageRequest, form: ImageSourceForm, losses: Losses, context: Encoding) {
  if (mask === undefined) return undefined
  const { source } = mask
  if (source === undefined) {
    losses.dropped([], 'the mask of chat is an image')
    return undefined
  }
  const wire = encodeImageSource(source, mask, form, losses, context)
  if (wire === undefined) return undefined
  reportUnsupported(mask, IMAGE_TABLES.mask, losses, context)
  reportForeignExtras(mask.extras, NAME, losses)
  return wire
}

/** An image that a form can contain is inline, without further members. Asked of the source: a test of its data URL would copy the data. */
function isInForm({ source, extras }: Partial<ReferenceImage>): boolean {
  if (source?.kind === 'base64') return extras?.[NAME] === undefined
  return source?.kind !== 'url' && source?.kind !== 'file'
}

function urlOf(image: JsonObject): string {
  return image['image_url'] as string // it is a file
}

const MOST = 10
const MOST_PARTIALS = 3
/** The thresholds of genai that block little; the others block as much as the default. */
const PERMISSIVE = ['BLOCK_NONE', 'BLOCK_ONLY_HIGH', 'OFF']

function encodeSettings(settings: ImageSettings, isEdit: boolean, losses: Losses): JsonObject {
  const { size, quality, background, format } = settings
  const output_format = encodeFormat(format)
  if (format !== undefined && output_format === undefined) losses.dropped(['format'], 'chat has no such format')
  return defined({
    n: atMost(settings.count, MOST, 'count', losses),
    size,
    quality,
    background,
    output_format,
    output_compression: encodeCompression(settings, losses),
    moderation: encodeSafety(settings.safety, losses),
    input_fidelity: isEdit ? settings.fidelity : undefined,
    style: isEdit ? undefined : settings.style,
  })
}

/** OpenAI refuses it for formats without loss; png is the default. */
function encodeCompression({ compression, format }: ImageSettings, losses: Losses): number | undefined {
  if (compression === undefined || format === 'image/jpeg' || format === 'image/webp') return compression
  losses.dropped(['compression'], 'only jpeg and webp are compressed')
  return undefined
}

function encodeSafety(safety: string | undefined, losses: Losses): string | undefined {
  if (safety === undefined || safety === 'low' || safety === 'auto') return safety
  const nearest = PERMISSIVE.includes(safety.toUpperCase()) ? 'low' : 'auto'
  losses.changed(['safety'], nearest, 'chat has two levels')
  return nearest
}

function encodeDelivery(delivery: ImageDelivery, losses: Losses, { dialect }: Encoding): JsonObject {
  const { stream, partials, form } = delivery
  const shown = stream === true ? atMost(partials, MOST_PARTIALS, 'partials', losses) : undefined
  if (partials !== undefined && stream !== true) losses.dropped(['partials'], 'only a stream shows unfinished images')
  if (dialect?.['responseFormat'] === true)
    return defined({ stream, partial_images: shown, response_format: form === 'url' ? 'url' : 'b64_json' })
  if (form === 'url') losses.dropped(['form'], 'this upstream answers with base64')
  return defined({ stream, partial_images: shown })
}

function atMost(value: number | undefined, most: number, member: string, losses: Losses): number | undefined {
  if (value === undefined || value <= most) return value
  losses.changed([member], most, `chat takes at most ${most}`)
  return most
}
