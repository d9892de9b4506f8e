/** One instruction of a pattern. Other addresses are relative to its own. A `split` goes on at both addresses, and prefers the first. */
export type Instruction =
  | { readonly op: 'one'; readonly fits: Fits }
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'assert'; readonly holds: Holds }
  | { readonly op: 'match' }

export type Program = readonly Instruction[]

/** Whether a code point belongs to a set. */
export type Fits = (point: number) => boolean

/** Whether a condition holds between two code points; undefined at the ends of the text. */
export type Holds = (before: number | undefined, after: number | undefined) => boolean

const ASCII = 128

/** A set of characters, as the source of a regular expression for one character. */
export function fitsOf(source: string): Fits {
  const expression = new RegExp(`^(?:${source})$`, 'u')
  const known = Array.from({ length: ASCII }, (_, point) => expression.test(String.fromCharCode(point)))
  return (point) => known[point] ?? expression.test(String.fromCodePoint(point))
}

const isWord = fitsOf('\\w')
const atWordEdge: Holds = (before, after) =>
  (before !== undefined && isWord(before)) !== (after !== undefined && isWord(after))

export const ASSERTIONS: { readonly [source: string]: Holds } = {
  '^': (before) => before === undefined,
  $: (_, after) => after === undefined,
  '\\b': atWordEdge,
  '\\B': (before, after) => !atWordEdge(before, after),
}
