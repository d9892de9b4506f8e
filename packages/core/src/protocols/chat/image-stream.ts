import { DragomanError } from '../../ir/error.ts'
import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { DrawnImage, ImageEvent, ImageLook } from '../../ir/image.ts'
import { NO_LOSSES } from '../../ir/loss.ts'
import type { Source } from '../../ir/part.ts'
import type { Emit, Machine } from '../../ir/stream.ts'
import { defined } from '../../lib/members.ts'
import { isObject, numberOf, parseJson, stringOf } from '../../lib/json.ts'
import { asUpstreamError } from '../read-body.ts'
import type { MediaEncoding } from '../media.ts'
import { reportUnsupported } from '../member-tables.ts'
import { decodeErrorObject, encodeErrorObject } from '../error-object.ts'
import { blockedError, decodeDrawn, decodeLook, encodeDrawn, encodeLook } from './image-answer.ts'
import { encodeFormat } from './image-formats.ts'
import { IMAGE_TABLES } from './image-members.ts'
import { GENERATION } from './image-operations.ts'
import { imageEvent, type WireImageEvent } from './image-schema.ts'
import { decodeImageUsage, encodeImageUsage } from './image-usage.ts'
import { NAME } from './schema.ts'

const PARTIAL = '.partial_image'
const COMPLETED = '.completed'
const KNOWN = known(imageEvent, { apart: ['usage'] })

/** Events of the wire to those of the IR. Events of other kinds are left out. A stream with a finished image can end at any time. */
export function decodeImageStream(emit: Emit<ImageEvent>): Machine<string> {
  let partials = 0
  let finished = 0
  let done = false
  const finish = (event: ImageEvent) => {
    done = true
    emit(event)
  }
  const read = (data: string) => {
    if (data === '[DONE]') return end()
    const wire = readEvent(data)
    const type = stringOf(wire.type)
    if (type.endsWith(PARTIAL)) {
      const index = numberOf(wire.partial_image_index) ?? partials
      const look = lookOf(wire)
      const source = decodeDrawn(wire, look.format)
      partials = index + 1
      if (source !== undefined) emit({ type: 'partial', index, source, look })
    } else if (type.endsWith(COMPLETED)) {
      finished++
      partials = 0
      emit(imageOf(wire))
    }
  }
  const end = () => {
    if (finished > 0) return finish({ type: 'end' })
    const message = 'The upstream ended its stream before an image was complete.'
    finish({ type: 'error', error: new DragomanError('interrupted', message) })
  }
  return {
    push(data) {
      if (done) return
      try {
        read(data)
      } catch (error) {
        finish({ type: 'error', error: asUpstreamError(error) })
      }
    },
    end() {
      if (!done) end()
    },
  }
}

/** Throws if the event is an error. */
function readEvent(data: string): WireImageEvent {
  const wire = parseJson(data)
  if (!isObject(wire)) {
    throw new DragomanError('upstream', 'The upstream sent a stream event that is not a JSON object.')
  }
  if (wire['type'] === 'error' || wire['error'] != null) throw decodeErrorObject(wire)
  return wire as WireImageEvent // read leniently
}

function imageOf(wire: WireImageEvent): ImageEvent {
  const look = lookOf(wire)
  const image: DrawnImage = defined({ source: decodeDrawn(wire, look.format) })
  const { usage } = wire
  return isObject(usage)
    ? { type: 'image', image, look, usage: decodeImageUsage(usage) }
    : { type: 'image', image, look }
}

function lookOf(wire: WireImageEvent): ImageEventOf<'image'>['look'] {
  return keep(decodeLook(wire, wire.created_at), NAME, unknownOf(wire, KNOWN))
}

/** Events of the IR to wire text. */
export function encodeImageStream(write: Emit<string>, context: MediaEncoding): Machine<ImageEvent> {
  const { losses } = context
  const kind = context.operation === GENERATION ? 'image_generation' : 'image_edit'
  let images = 0
  let partials = 0 // the next index: it increases also after an image that was blocked
  let last: ImageEventOf<'image'> | undefined // the last that was written
  let blocked: DrawnImage | undefined
  let done = false
  const fail = (error: DragomanError) => write(frame('error', { type: 'error', ...encodeErrorObject(error) }))
  const writePartial = ({ index, source, look }: ImageEventOf<'partial'>) => {
    const type = `${kind}${PARTIAL}`
    const whole = completed(look, source, context)
    const drawn = encodeDrawn({ source }, whole.format, NO_LOSSES)
    if (drawn === undefined) return
    const partial_image_index = Math.max(index, partials)
    partials = partial_image_index + 1
    write(frame(type, restore(NAME, look, { type, ...drawn, partial_image_index, ...wireLook(whole) })))
  }
  const writeImage = (event: ImageEventOf<'image'>) => {
    const { image, look, usage } = event
    const type = `${kind}${COMPLETED}`
    const at = losses.at('images', images++)
    const whole = completed(look, image.source, context)
    const drawn = encodeDrawn(image, whole.format, at)
    if (drawn === undefined) {
      blocked ??= image
      return
    }
    partials = 0
    last = usage === undefined && last?.usage !== undefined ? { ...event, usage: last.usage } : event
    reportUnsupported(image, IMAGE_TABLES.event, at, context)
    reportForeignExtras(image.extras, NAME, at)
    const counted = usage && encodeImageUsage(usage, NO_LOSSES, context)
    write(frame(type, restore(NAME, look, defined({ usage: counted }, { type, ...drawn, ...wireLook(whole) }))))
  }
  return {
    push(event) {
      if (done) return
      switch (event.type) {
        case 'partial':
          return writePartial(event)
        case 'image':
          return writeImage(event)
        case 'end':
          done = true
          if (last !== undefined) return reportLast(last, context)
          return fail(blocked === undefined ? nothingDrawn() : blockedError(blocked))
        case 'error':
          done = true
          return fail(event.error)
        default:
          event satisfies never
      }
    },
    end() {
      if (!done) fail(new DragomanError('interrupted', 'The stream ended before the answer did.'))
      done = true
    },
  }
}

type ImageEventOf<Type extends ImageEvent['type']> = Extract<ImageEvent, { type: Type }>

function nothingDrawn(): DragomanError {
  return new DragomanError('upstream', 'The upstream answered without an image.')
}

function frame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Clients read these members of every event: where the upstream leaves one out, it is what the caller requested, or `auto`. */
function completed(
  look: ImageLook,
  source: Source | undefined,
  { requested = {}, now }: MediaEncoding,
): Required<ImageLook> {
  const type = source?.kind === 'base64' && encodeFormat(source.mime) !== undefined ? source.mime : undefined
  const format = encodeFormat(look.format) === undefined ? undefined : look.format
  return {
    created: look.created ?? now,
    size: look.size ?? requested.size ?? 'auto',
    quality: look.quality ?? requested.quality ?? 'auto',
    background: look.background ?? requested.background ?? 'auto',
    format: format ?? type ?? requested.format ?? 'image/png',
  }
}

function wireLook(look: Required<ImageLook>): object {
  return { created_at: look.created, ...encodeLook(look, NO_LOSSES) }
}

/** The look and the usage of the last image are those of the answer. */
function reportLast({ image, look, usage }: ImageEventOf<'image'>, context: MediaEncoding): void {
  const { losses } = context
  const whole = completed(look, image.source, context)
  for (const member of ['created', 'size', 'quality', 'background', 'format'] as const) {
    if (look[member] === undefined) losses.added([member], whole[member], 'events of chat have it')
    else if (look[member] !== whole[member]) losses.changed([member], whole[member], 'chat has no such format')
  }
  reportForeignExtras(look.extras, NAME, losses)
  if (usage !== undefined) encodeImageUsage(usage, losses.at('usage'), context)
}
