import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { decodeFloats, encodeFloats } from './float32.ts'

const floats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { maxLength: 9 })

describe('base64 of float32 numbers', () => {
  it('[embed.base64] is what the official SDK decodes: the little-endian bytes', () => {
    fc.assert(
      fc.property(floats, (numbers) => {
        const bytes = Buffer.from(Float32Array.from(numbers).buffer)
        expect(encodeFloats(numbers)).toBe(bytes.toString('base64'))
        expect(decodeFloats(bytes.toString('base64'))).toEqual(numbers)
      }),
    )
  })

  it.each([
    ['a length that is not that of float32 numbers', 'AAAA'],
    ['a letter that base64 does not have', 'AACA*w=='],
    ['the URL-safe alphabet', 'AACA_w=='],
    ['a letter beyond ASCII', 'AACAéw=='],
    ['missing padding', 'AACAPw'],
    ['padding inside', 'AA==AACAPwA='],
    ['a number that JSON cannot say', Buffer.from(Float32Array.of(1, Number.NaN).buffer).toString('base64')],
    ['infinity', Buffer.from(Float32Array.of(Infinity).buffer).toString('base64')],
  ])('refuses %s', (_, base64) => {
    expect(decodeFloats(base64)).toBeUndefined()
  })

  it('rounds to float32', () => {
    expect(decodeFloats(encodeFloats([0.1]))).toEqual([Math.fround(0.1)])
  })
})
