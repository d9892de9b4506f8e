import type { BitWriter } from './bits.ts'

/** The side of a macroblock. */
export const BLOCK = 16

/** An image of macroblocks, each in one color: its luma and its two chroma values, in rows from the top. */
export interface Mosaic {
  readonly columns: number
  readonly rows: number
  readonly colors: Uint8Array
}

/** The quantiser of every block. At 24, a luma step is 0.625 and a chroma step 1.25, so that colors are off by 1 at most. */
export const QP = 24
const LUMA_STEP = 0.625
const CHROMA_STEP = 1.25

/**
 * A block is predicted from its left neighbor (in the first column from the one above, and the first of all as gray), which has one color,
 * so that one coefficient for each of the three planes is enough.
 */
export function writeBlock(
  writer: BitWriter,
  { columns, colors }: Mosaic,
  block: number,
  shown: Uint8Array,
  typesBefore: number,
): void {
  const [from, luma, chroma] =
    block % columns > 0 ? [block - 1, 1, 1] : block > 0 ? [block - columns, 0, 2] : [undefined, 2, 0]
  const levelOf = (plane: number, step: number): number => {
    const expected = from === undefined ? 128 : (shown[from * 3 + plane] ?? 0)
    const level = Math.round(((colors[block * 3 + plane] ?? 0) - expected) / step)
    shown[block * 3 + plane] = Math.min(255, Math.max(0, expected + Math.floor(level * step + 0.5)))
    return level
  }
  const y = levelOf(0, LUMA_STEP)
  const u = levelOf(1, CHROMA_STEP)
  const v = levelOf(2, CHROMA_STEP)
  const hasChroma = u !== 0 || v !== 0
  writer.unsigned(typesBefore + 1 + luma + (hasChroma ? 4 : 0))
  writer.unsigned(chroma)
  writer.signed(0) // the same quantiser
  writeLevel(writer, y, LUMA_CODES)
  if (!hasChroma) return
  writeLevel(writer, u, CHROMA_CODES)
  writeLevel(writer, v, CHROMA_CODES)
}

/** The codes for the number of coefficients: none, one that is 1 or -1, another one. */
interface CountCodes {
  readonly none: string
  readonly unit: string
  readonly other: string
}
const LUMA_CODES: CountCodes = { none: '1', unit: '01', other: '000101' }
const CHROMA_CODES: CountCodes = { none: '01', unit: '1', other: '000111' }

/** The first coefficient of a plane, which is its only one. */
function writeLevel(writer: BitWriter, level: number, codes: CountCodes): void {
  if (level === 0) {
    writer.code(codes.none)
    return
  }
  const size = Math.abs(level)
  const sign = level < 0 ? 1 : 0
  writer.code(size === 1 ? codes.unit : codes.other)
  if (size === 1) writer.bits(sign, 1)
  else writeLarge(writer, 2 * size - 4 + sign)
  writer.bits(1, 1) // no zeros before it
}

/** A number of zeros and a one; large values have a second part of 4 or 12 bits. */
function writeLarge(writer: BitWriter, code: number): void {
  const prefix = code < 14 ? code : code < 30 ? 14 : 15
  writer.bits(0, prefix)
  writer.bits(1, 1)
  if (prefix === 14) writer.bits(code - 14, 4)
  if (prefix === 15) writer.bits(code - 30, 12)
}
