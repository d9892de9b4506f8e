import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinBase64, standardBase64, base64Problem } from './base64.ts'

describe('base64 in the output', () => {
  it.each([
    ['the URL-safe alphabet', '-_-_', '+/+/'],
    ['no padding, two letters', 'aGVsbA', 'aGVsbA=='],
    ['no padding, three letters', 'aGVsbG8', 'aGVsbG8='],
    ['half of its padding', 'aGVsbA=', 'aGVsbA=='],
    ['lines', 'aGVs\r\nbG8=\n', 'aGVsbG8='],
    ['all of it at once', ' _-\t_w ', '/+/w'],
  ])('is standard for input with %s', (_what, came, goes) => {
    expect(standardBase64(came)).toBe(goes)
  })

  it.each(['', 'aGVsbG8=', '+/+/', 'base64!!!', 'a'])('is the same text if it is already right: %j', (text) => {
    expect(standardBase64(text)).toBe(text)
  })

  it.each([0, 1, 2, 3, 4, 255])('encodes the same %i bytes', (size) => {
    const bytes = Buffer.from(Array.from({ length: size }, (_, index) => 255 - index))
    expect(standardBase64(bytes.toString('base64url'))).toBe(bytes.toString('base64'))
  })
})

describe('joinBase64', () => {
  it('joins bytes, with padding only at the end', () => {
    expect(joinBase64(['AQ==', 'AgM=', 'BAUG', 'Bw=='])).toBe(btoa('\u0001\u0002\u0003\u0004\u0005\u0006\u0007'))
    expect(joinBase64(['AQID', 'BA=='])).toBe('AQIDBA==')
    expect(joinBase64([])).toBe('')
  })

  it('joins text that is not base64 as it is', () => {
    expect(joinBase64(['no*=', 'base64'])).toBe('no*=base64')
  })
})

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
        const unpadded = text.replace(/=+$/, '')
        const padding = text.length - unpadded.length
        const isRight =
          !unpadded.includes('=') && unpadded.length % 4 !== 1 && padding <= (4 - (unpadded.length % 4)) % 4
        expect(base64Problem(text) === undefined).toBe(isRight)
      }),
    )
  })
})
