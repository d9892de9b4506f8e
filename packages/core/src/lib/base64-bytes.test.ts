import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeBytes, encodeBytes } from './base64-bytes.ts'

it('is the base64 of Node, and back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      const base64 = encodeBytes(bytes)
      expect(base64).toBe(Buffer.from(bytes).toString('base64'))
      expect(Buffer.concat(decodeBytes(base64))).toEqual(Buffer.from(bytes))
    }),
  )
})

it('cuts megabytes into pieces with the same bytes', () => {
  const bytes = Uint8Array.from({ length: 2_000_003 }, (_, index) => index % 251)
  const pieces = decodeBytes(encodeBytes(bytes))
  expect(pieces.length).toBeGreaterThan(1)
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
})
