import type { DragomanError } from '../../ir/error.ts'
import type { Usage } from '../../ir/usage.ts'
import type { Draft } from '../../lib/members.ts'
import { joinBytes } from '../../lib/frames.ts'
import { isObject, listOf, optionalString, type JsonObject } from '../../lib/json.ts'
import { createSkimmedText } from '../../lib/skim-json.ts'
import { createImageTap, type ImageFactsOf } from '../image-tap.ts'
import type { Tap, TapOptions } from '../relay.ts'
import { frameData } from '../tap.ts'
import { decodeErrorObject } from '../error-object.ts'
import type { WireDrawn, WireImageAnswer, WireImageEvent } from './image-schema.ts'
import { decodeImageUsage } from './image-usage.ts'

/** A frame up to this size is held back until it is complete, because it may be an error. Larger ones are images. */
const SMALL = 16 * 1024
const LF = 10
const CR = 13

/** Reads usage and the number of images from relayed bytes. The data of images is neither parsed nor copied. */
export function tapImages({ stream }: TapOptions): Tap {
  return stream ? createStreamTap() : createImageTap(readWhole)
}

function readWhole(body: JsonObject): ImageFactsOf {
  const { usage, data } = body as WireImageAnswer // read leniently
  return { images: listOf(data).filter(isDrawn).length, usage: usageOf(usage) }
}

function createStreamTap(): Tap {
  const text = createSkimmedText()
  const split = createSplitter()
  let held: Uint8Array[] = []
  let size = 0 // of the frame so far
  let images = 0
  let usage: unknown
  let isFirst = true
  /** Notes what a frame says. Returns its error. */
  const note = (frame: JsonObject | undefined): DragomanError | undefined => {
    if (frame === undefined) return undefined
    const { type, usage: counted } = frame as WireImageEvent // read leniently
    if (type === 'error' || frame['error'] != null) return decodeErrorObject(frame)
    if (typeof type !== 'string' || !type.endsWith('.completed')) return undefined
    images++
    usage = counted ?? usage
    return undefined
  }
  const tap: Draft<Tap> = {
    failed: undefined,
    push(chunk) {
      const out: Uint8Array[] = []
      for (const { piece, isEnd } of split(chunk)) {
        text.push(piece)
        size += piece.length
        held.push(piece)
        if (isEnd) {
          if (isFirst) tap.lineEnd = piece.at(-2) === CR ? '\r\n' : '\n'
          isFirst = false
          const failed = note(frameData(text.take()))
          tap.failed ??= failed
          if (failed !== undefined) held = []
        }
        if (isEnd || size > SMALL) {
          for (const each of held) out.push(each)
          held = []
        }
        if (isEnd) size = 0
        tap.betweenFrames = size <= SMALL
      }
      return out.length === 0 ? undefined : joinBytes(out)
    },
    end: () => ({
      usage: usageOf(usage),
      images,
      complete: images > 0,
      rest: held.length === 0 ? undefined : joinBytes(held),
    }),
    betweenFrames: true,
    lineEnd: '\n',
    strips: false,
  }
  return tap
}

function isDrawn(image: WireDrawn | null): boolean {
  return isObject(image) && (optionalString(image.b64_json) ?? optionalString(image.url) ?? '') !== ''
}

function usageOf(counted: unknown): Usage | undefined {
  return isObject(counted) ? decodeImageUsage(counted) : undefined
}

interface Piece {
  readonly piece: Uint8Array
  /** The piece ends with a blank line. */
  readonly isEnd: boolean
}

/** Cuts chunks after each blank line. Lines end in LF, or CR and LF. */
function createSplitter(): (chunk: Uint8Array) => readonly Piece[] {
  let isBlank = true // the line so far
  return (chunk) => {
    const pieces: Piece[] = []
    let start = 0
    let line = 0
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, line)) {
      isBlank &&= at === line || (at === line + 1 && chunk[line] === CR)
      line = at + 1
      if (isBlank) pieces.push({ piece: chunk.subarray(start, line), isEnd: true })
      if (isBlank) start = line
      isBlank = true
    }
    isBlank &&= line === chunk.length || (line === chunk.length - 1 && chunk[line] === CR)
    if (start < chunk.length) pieces.push({ piece: chunk.subarray(start), isEnd: false })
    return pieces
  }
}
