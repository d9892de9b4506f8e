import { isObject } from '@dragoman/core'
import type { Program } from '../patterns/program.ts'
import { mediaEdits, secretEdits, type Edit } from './edits.ts'
import { joinTexts, MOST_PER_STEP, type Steps } from './steps.ts'

/** Larger events are not pieces of a text: each is complete in itself. */
const MOST_CHARACTERS = 4 * MOST_PER_STEP
const DEEPEST = 64
const EVENT_STREAM = /^\s*(?:data|event|id|retry)?:/

/** A string of an event. */
interface Piece {
  /** The index of the event in the list of lines, and that of the string among the strings of the event. */
  readonly line: number
  readonly string: number
  readonly text: string
}

/**
 * Redacts secrets that are cut into several events of a stream: the strings at the same path of successive events are read as one text.
 * Only events in which something is found are written anew, as JSON; all others stay as they are. A text that is not a stream stays as it
 * is.
 */
export function* redactStream(text: string, programs: readonly Program[]): Steps<string> {
  if (!EVENT_STREAM.test(text.slice(0, 100))) return text
  const lines: string[] = []
  const channels = new Map<string, Piece[]>()
  for (let at = 0; at <= text.length;) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const line = text.slice(at, end)
    readStrings(line, (channel, string, value) => {
      const pieces = channels.get(channel) ?? []
      if (pieces.length === 0) channels.set(channel, pieces)
      pieces.push({ line: lines.length, string, text: value })
    })
    lines.push(line)
    yield Math.min(line.length, MOST_CHARACTERS) + 1
    at = end + 1
  }
  const changes = new Map<number, Map<number, string>>()
  for (const [channel, pieces] of channels) if (isText(channel, pieces)) yield* redactPieces(pieces, programs, changes)
  for (const [line, strings] of changes) {
    lines[line] = writeStrings(lines[line] ?? '', strings)
    yield lines[line].length
  }
  return changes.size === 0 ? text : yield* joinTexts(lines, '\n')
}

/** Members that are the same in all events are not text. */
function isText(channel: string, pieces: readonly Piece[]): boolean {
  const [first] = pieces
  return pieces.length > 1 && !(REPEATED.test(channel) && pieces.every(({ text }) => text === first?.text))
}

const REPEATED = /\/(?:id|item_id|responseId|object|type|role|model|modelVersion|service_tier|system_fingerprint)$/

/** Finds matches that span several pieces. Matches inside one piece are found in the whole text later. */
function* redactPieces(
  pieces: readonly Piece[],
  programs: readonly Program[],
  changes: Map<number, Map<number, string>>,
): Steps<void> {
  const text = yield* joinTexts(
    pieces.map((piece) => piece.text),
    '',
  )
  const media = yield* mediaEdits(text)
  const secrets = yield* secretEdits(text, programs)
  let begin = 0
  let firstMedia = 0
  let firstSecret = 0
  for (const piece of pieces) {
    const end = begin + piece.text.length
    firstMedia = firstAfter(media, firstMedia, begin)
    firstSecret = firstAfter(secrets, firstSecret, begin)
    const found = [...touching(media, firstMedia, begin, end), ...touching(secrets, firstSecret, begin, end)]
    const cut = found.filter(({ from, to }) => from < begin || to > end)
    if (cut.length > 0 && piece.text !== '') {
      const strings = changes.get(piece.line) ?? new Map<number, string>()
      changes.set(piece.line, strings)
      strings.set(piece.string, writePiece(piece.text, begin, cut))
    }
    yield found.length + 1
    begin = end
  }
}

/** Edits end in the order of their beginnings, so those that have ended are passed over once. */
function firstAfter(edits: readonly Edit[], first: number, begin: number): number {
  let index = first
  while (index < edits.length && (edits[index]?.to ?? 0) <= begin) index++
  return index
}

function touching(edits: readonly Edit[], first: number, begin: number, end: number): readonly Edit[] {
  let last = first
  while (last < edits.length && (edits[last]?.from ?? end) < end) last++
  return edits.slice(first, last).filter(({ from, to }) => from < end && to > begin)
}

/** The piece in which a match begins gets the replacement, and the others lose their part of the match. */
function writePiece(text: string, begin: number, cut: readonly Edit[]): string {
  let written = ''
  let at = 0
  for (const { from, to, by } of cut.toSorted((left, right) => left.from - right.from)) {
    const start = Math.max(at, from - begin)
    written += text.slice(at, start) + (from >= begin ? by : '')
    at = Math.max(at, Math.min(text.length, to - begin))
  }
  return written + text.slice(at)
}

type Visit = (channel: string, string: number, value: string) => void

/** Visits the strings of an event. Those with the same channel are pieces of one text. */
function readStrings(line: string, visit: Visit): void {
  const event = parseEvent(line)
  if (event === undefined) return
  let count = 0
  walk(event, '', 0, (value, channel) => {
    visit(channel, count++, value)
    return value
  })
}

/** The event with other strings. */
function writeStrings(line: string, strings: ReadonlyMap<number, string>): string {
  const event = parseEvent(line)
  let count = 0
  const written = walk(event, '', 0, (value) => strings.get(count++) ?? value)
  return `data: ${JSON.stringify(written)}${line.endsWith('\r') ? '\r' : ''}`
}

function parseEvent(line: string): object | undefined {
  if (!line.startsWith('data:') || line.length > MOST_CHARACTERS) return undefined
  try {
    const event: unknown = JSON.parse(line.slice('data:'.length))
    return isObject(event) ? event : undefined
  } catch {
    // Not an event of a model: `[DONE]`, or one that was cut off.
    return undefined
  }
}

/** Walks the strings of a value in a fixed order, and returns the value with what `use` returns for them. */
function walk(value: unknown, channel: string, depth: number, use: (text: string, channel: string) => string): unknown {
  if (typeof value === 'string') return use(value, channel)
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((element: unknown, index) =>
      walk(element, `${channel}/${positionOf(element, index)}`, depth + 1, use),
    )
  }
  const own = isObject(value) ? `${channel}${blockOf(value)}` : channel
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, walk(member, `${own}/${name}`, depth + 1, use)]),
  )
}

/** Some elements say which one of a list they are a part of. */
function positionOf(element: unknown, index: number): number {
  const own: unknown = isObject(element) ? element['index'] : undefined
  return typeof own === 'number' ? own : index
}

/** Which block an event is about, in the words of any protocol. */
function blockOf(event: { readonly [name: string]: unknown }): string {
  const { index, output_index, content_index, summary_index, type } = event
  const numbers = [index, output_index, content_index, summary_index].filter((each) => typeof each === 'number')
  return `(${numbers.join()}${typeof type === 'string' ? type.slice(0, 64) : ''})`
}
