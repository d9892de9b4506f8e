import { expect, it } from 'vitest'
import { decodeBase64, encodeBase64 } from './base64-bytes.ts'

/** Every byte, and a group of three that is cut off at its first or second byte, also behind many others. */
const LENGTHS = [0, 1, 2, 3, 4, 5, 256, 24_575, 24_576, 24_577, 100_000]

it.each(LENGTHS)('%i bytes are written and read as Node does', (length) => {
  const bytes = Uint8Array.from({ length }, (_byte, index) => index)
  const base64 = Buffer.from(bytes).toString('base64')
  expect(Buffer.from(encodeBase64(bytes)).toString('latin1')).toBe(base64)
  expect(Buffer.compare(decodeBase64(Buffer.from(base64, 'latin1')), bytes)).toBe(0)
})
