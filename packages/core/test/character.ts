import * as fc from 'fast-check'

/** Any character of Unicode, or half of one. The unit `binary` of fast-check makes a table of a million entries first, which takes a second. */
export function character(): fc.Arbitrary<string> {
  return fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point))
}
