import { CLOSE, COLON, isString, OPEN, valuesOf, type Span } from '../lib/scan-json.ts'
import { applyCuts, findOnly, type Parsed } from '../lib/top-level.ts'
import { isEqual } from './token-frames.ts'

/** Where the frames of a protocol name the model. */
export interface FrameModel {
  /** A text that is in every frame with a model; absent: every frame can have one. */
  readonly marker?: string
  /** The member of the frame that names the model; absent: the frame itself does. */
  readonly inside?: string
}

/** Sets the model in relayed answers: the client gets the name that it asked for, and every other byte of the upstream. */
export interface AnswerModel {
  /** The frame with the name; the frame itself if it stays as it is. `read` is its text. */
  rename(frame: Uint8Array, read: string): Uint8Array
  whole(body: Uint8Array, parsed: Parsed): Uint8Array
}

/** Only a member is edited, never the text of an answer. Most frames do not come here: see `token-frames.ts`. */
export function createAnswerModel(name: string, { marker = '', inside }: FrameModel = {}): AnswerModel {
  const text = JSON.stringify(name)
  /** All values of the model are replaced; an object without a model gets one. */
  const named = (bytes: Uint8Array, object: number, values: readonly Span[]): Uint8Array => {
    const start = object + 1
    const comma = bytes[skipSpace(bytes, start)] === CLOSE ? '' : ','
    const added = { start, end: start, text: `"model":${text}${comma}` }
    const out = applyCuts(bytes, values.length === 0 ? [added] : values.map((value) => ({ ...value, text })))
    return isEqual(out, bytes) ? bytes : out
  }
  return {
    rename(frame, read) {
      if (!read.includes(marker)) return frame
      const event = objectAt(frame, dataStart(frame))
      const object =
        inside === undefined || event < 0 ? event : objectAt(frame, valuesOf(frame, event, inside)[0]?.start)
      return object < 0 ? frame : named(frame, object, valuesOf(frame, object, 'model'))
    },
    whole(body, parsed) {
      const object = body.indexOf(OPEN)
      const found = findOnly(body, 'model', parsed)
      return named(body, object, found === undefined ? valuesOf(body, object, 'model') : [found])
    },
  }
}

/** The index after `data:` at the start of a line; undefined if a frame has no data. */
function dataStart(frame: Uint8Array): number | undefined {
  let line = frame[0] === BYTE_ORDER_MARK ? 3 : 0
  for (let i = line; i < frame.length; i++) {
    if (frame[i] === COLON && isString('data', frame, line - 1, i + 1)) return i + 1
    if (frame[i] === LF || frame[i] === CR) line = i + 1
  }
  return undefined
}

const LF = 10
/** The first of its three bytes. */
const BYTE_ORDER_MARK = 0xef
const CR = 13

/** The position of the object that begins here, after spaces; -1 if there is none. */
function objectAt(bytes: Uint8Array, from: number | undefined): number {
  if (from === undefined) return -1
  const at = skipSpace(bytes, from)
  return bytes[at] === OPEN ? at : -1
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] ?? 0) <= 32) at++
  return at
}
