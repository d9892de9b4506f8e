import { describe, expect, it } from 'vitest'
import { joinBase64, standardBase64 } from './base64.ts'

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
