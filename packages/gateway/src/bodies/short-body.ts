import { joinBytes, type OutgoingBody } from '@dragoman/core/provider'
import { randomId } from '../ports/ports.ts'
import { decodeBase64, encodeBase64 } from './base64-bytes.ts'

/**
 * A body without its large values: each has a short stand-in. It is parsed, checked and translated like any other body, and at the end the
 * values are put back, so that megabytes of base64 never become text.
 */
export interface ShortBody {
  readonly bytes: Uint8Array
  /** Puts the values back into a JSON text: in pieces, most of which are views of the body's own bytes. */
  fill(text: string): OutgoingBody
  /** Puts their bytes back into a file that was decoded from a stand-in. */
  fillFile(file: Uint8Array): readonly Uint8Array[]
  /** A value whose strings are whole again, for code that needs them as text. */
  restore<T>(value: T): T
}

/** A value that has been taken out: base64, as ASCII, or the bytes that it stands for. */
export type Taken = { readonly base64: Uint8Array } | { readonly binary: Uint8Array }

export interface Hole {
  /** A mark is base64 itself, and unique. */
  readonly mark: string
  readonly taken: Taken
}

/** How much of a string its stand-in begins with: enough to know a file by its first bytes. A multiple of four. */
export const KEPT = 1024
const ID_LENGTH = 32
/** A multiple of four, so that it can be decoded: it is then 27 bytes. */
const MARK_LENGTH = 36
const MARK_BYTES = 27

export function holesOf(values: readonly Taken[]): readonly Hole[] {
  const id = values.length === 0 ? '' : randomId()
  return values.map((taken, index) => ({
    mark: id + index.toString(16).padStart(MARK_LENGTH - ID_LENGTH, '0'),
    taken,
  }))
}

/** The bytes that a mark is base64 of. */
export function markBytes({ mark }: Hole): Uint8Array {
  return decodeBase64(UTF8.encode(mark))
}

export function createShortBody(pieces: readonly Uint8Array[], holes: readonly Hole[]): ShortBody {
  const [only] = pieces
  const bytes = pieces.length === 1 && only !== undefined ? only : joinBytes(pieces)
  if (holes.length === 0) return { bytes, fill: (text) => text, fillFile: (file) => [file], restore: (value) => value }
  return {
    bytes,
    fill: (text) => fill(holes, text),
    fillFile: (file) => fillFile(holes, file),
    restore: (value) => restore(value, (text) => wholeText(holes, text)),
  }
}

const UTF8 = new TextEncoder()
/** Base64 is ASCII, which is decoded without looking at each byte. */
const LATIN = new TextDecoder('latin1')

function fill(holes: readonly Hole[], text: string): OutgoingBody {
  const pieces: Uint8Array[] = []
  eachMark(holes, text, (before, hole) => {
    if (before !== '') pieces.push(UTF8.encode(before))
    if (hole !== undefined) pieces.push(asBase64(hole))
  })
  return pieces
}

function wholeText(holes: readonly Hole[], text: string): string {
  let whole = ''
  eachMark(holes, text, (before, hole) => {
    whole += before
    if (hole !== undefined) whole += LATIN.decode(asBase64(hole))
  })
  return whole
}

/** Calls `use` for each mark with the text before it, and for the rest of the text. */
function eachMark(holes: readonly Hole[], text: string, use: (before: string, hole: Hole | undefined) => void): void {
  const id = holes[0]?.mark.slice(0, ID_LENGTH) ?? ''
  let from = 0
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, from)) {
    const mark = text.slice(at, at + MARK_LENGTH)
    use(
      text.slice(from, at),
      holes.find((hole) => hole.mark === mark),
    )
    from = at + MARK_LENGTH
  }
  use(text.slice(from), undefined)
}

/** A file has at most one mark, near its beginning. */
function fillFile(holes: readonly Hole[], file: Uint8Array): readonly Uint8Array[] {
  for (const hole of holes) {
    const mark = markBytes(hole)
    const at = positionOf(mark, file)
    if (at >= 0) return [file.subarray(0, at), asBinary(hole), file.subarray(at + MARK_BYTES)]
  }
  return [file]
}

function positionOf(mark: Uint8Array, file: Uint8Array): number {
  const [first = 0] = mark
  for (let at = file.indexOf(first); at >= 0; at = file.indexOf(first, at + 1))
    if (mark.every((code, index) => file[at + index] === code)) return at
  return -1
}

function asBase64({ taken }: Hole): Uint8Array {
  return 'base64' in taken ? taken.base64 : encodeBase64(taken.binary)
}

function asBinary({ taken }: Hole): Uint8Array {
  return 'binary' in taken ? taken.binary : decodeBase64(taken.base64)
}

function restore<T>(value: T, whole: (text: string) => string): T {
  const copy = (node: unknown): unknown => {
    if (typeof node === 'string') return node.length < KEPT ? node : whole(node)
    if (Array.isArray(node)) return node.map(copy)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [copy(key), copy(each)]))
  }
  return copy(value) as T // the same shape
}
