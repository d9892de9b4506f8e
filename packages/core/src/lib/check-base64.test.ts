import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64Problem } from './check-base64.ts'

/** Longer than the pieces in which it is read. */
const LONG = Buffer.alloc(150_000, 'an image').toString('base64')

describe('base64Problem', () => {
  it('accepts the base64 of any bytes, in both alphabets, with and without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { buffer } = bytes
        expect(base64Problem(Buffer.from(buffer).toString('base64'))).toBeUndefined()
        expect(base64Problem(Buffer.from(buffer).toString('base64url'))).toBeUndefined()
      }),
    )
  })

  it.each([
    ['lines', 'aGVs\r\nbG8=\n'],
    ['half of its padding', 'aGVsbA='],
    ['many pieces', LONG],
    ['many pieces with lines', LONG.replaceAll(/.{76}/g, '$&\r\n')],
    ['many pieces of the other alphabet', `${LONG.slice(0, -4)}-_-_`],
  ])('accepts text with %s', (_what, text) => {
    expect(base64Problem(text)).toBeUndefined()
  })

  it.each([
    ['*GVsbG8=', 'is not base64: wrong character at position 0'],
    ['aGVsbG8é', 'is not base64: wrong character at position 7'],
    [`${LONG.slice(0, 100_000)}!${LONG.slice(100_001)}`, 'is not base64: wrong character at position 100000'],
    ['data:image/png;base64,aGVsbG8=', 'is not base64: wrong character at position 4'],
    ['aGVsbG8=aGVsbG8=', 'is not base64: padding before its end'],
    [`${LONG.slice(0, 65_532)}aGk=${LONG}`, 'is not base64: padding before its end'],
    ['aGVsbG8==', 'is not base64: wrong length'],
    ['aGVs====', 'is not base64: padding before its end'],
    ['aGVsb', 'is not base64: wrong length'],
    [`${LONG}a`, 'is not base64: wrong length'],
  ])('finds the problem of text %#', (text, problem) => {
    expect(base64Problem(text)).toBe(problem)
  })

  it('accepts a text of the alphabets if and only if its length and its padding are right', () => {
    const char = fc.constantFrom('A', 'a', '0', '+', '/', '-', '_', '=')
    fc.assert(
      fc.property(fc.string({ unit: char, maxLength: 12 }), (text) => {
        const bare = text.replace(/=+$/, '')
        const padding = text.length - bare.length
        const isRight = !bare.includes('=') && bare.length % 4 !== 1 && padding <= (4 - (bare.length % 4)) % 4
        expect(base64Problem(text) === undefined).toBe(isRight)
      }),
    )
  })
})
