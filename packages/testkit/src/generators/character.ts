import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

/** The first code point that is half a surrogate pair, and how many there are. */
const FIRST_HALF = 0xd800
const HALVES = 0x800

/**
 * Any character of Unicode. It gives the values of fast-check's unit `binary`, which makes a table of all of them first: that takes a second of
 * CPU time and 130 MB in every process.
 */
export function character(): Arbitrary<string> {
  return fc.nat({ max: 0x10ffff - HALVES }).map(
    (index) => String.fromCodePoint(index < FIRST_HALF ? index : index + HALVES),
    // With this inverse, generated strings are sometimes a name such as `__proto__`.
    indexOf,
  )
}

function indexOf(character: unknown): number {
  const point = typeof character === 'string' ? (character.codePointAt(0) ?? FIRST_HALF) : FIRST_HALF
  const isHalf = point >= FIRST_HALF && point < FIRST_HALF + HALVES
  if (isHalf || String.fromCodePoint(point) !== character) throw new Error('not a character')
  return point < FIRST_HALF ? point : point - HALVES
}
