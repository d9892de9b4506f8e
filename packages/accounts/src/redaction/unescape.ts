import { MOST_PER_STEP, type Steps } from './steps.ts'

/** A text as a reader of JSON understands it, and where each of its characters is in the stored text. */
export interface View {
  readonly text: string
  /** The offset in the stored text; for the end, its length. */
  readonly sourceOf: (index: number) => number
}

/** JSON inside a string of JSON is escaped once more: arguments of calls are, and what they contain may be. */
const DEEPEST = 4

/** The text itself or without its escapes, then without the escapes inside them, as long as there are any. */
export function* viewsOf(text: string): Steps<readonly View[]> {
  const views: View[] = []
  let view: View = { text, sourceOf: (index) => index }
  for (let depth = 0; depth < DEEPEST; depth++) {
    const next: View | undefined = yield* withoutEscapes(view)
    if (next === undefined) break
    views.push((view = next))
  }
  return views.length === 0 ? [view] : views
}

const BACKSLASH = 92
const LETTER_U = 117
/** The characters that a letter after a backslash stands for; `\"\/` stand for themselves. */
const UNIT_OF: ReadonlyMap<number, number> = new Map([
  [34, 34],
  [47, 47],
  [92, 92],
  [98, 8],
  [102, 12],
  [110, 10],
  [114, 13],
  [116, 9],
])

/** Undefined if there are none. Invalid escapes stay as they are: a body may be cut anywhere, or not be JSON. */
function* withoutEscapes({ text, sourceOf }: View): Steps<View | undefined> {
  if (!text.includes('\\')) return undefined
  const pieces: string[] = []
  let units: number[] = []
  /** The positions after escapes, and how far they are behind the source. */
  const positions: number[] = []
  const shifts: number[] = []
  let length = 0
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at)
    const escape = unit === BACKSLASH ? readEscape(text, at) : undefined
    units.push(escape?.unit ?? unit)
    at += escape?.length ?? 1
    length++
    if (escape !== undefined) {
      positions.push(length)
      shifts.push(at - length)
    }
    if (units.length < MOST_PER_STEP) continue
    pieces.push(String.fromCharCode(...units))
    units = []
    yield MOST_PER_STEP
  }
  pieces.push(String.fromCharCode(...units))
  if (positions.length === 0) return undefined
  return {
    text: pieces.join(''),
    sourceOf(index) {
      const last = lastAtMost(positions, index)
      return sourceOf(index + (shifts[last] ?? 0))
    },
  }
}

function readEscape(text: string, at: number): { readonly unit: number; readonly length: number } | undefined {
  const letter = text.charCodeAt(at + 1)
  const unit = UNIT_OF.get(letter)
  if (unit !== undefined) return { unit, length: 2 }
  const digits = letter === LETTER_U ? text.slice(at + 2, at + 6) : ''
  return /^[\dA-Fa-f]{4}$/.test(digits) ? { unit: Number.parseInt(digits, 16), length: 6 } : undefined
}

/** The index of the last number that is not larger; -1 if all are. */
function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = -1
  let high = sorted.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle
    else high = middle
  }
  return low
}
