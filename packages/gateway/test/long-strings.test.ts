import { joinBody } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { shortenAnswer, shortenRequest } from '../src/bodies/long-strings.ts'
import type { ShortBody } from '../src/bodies/short-body.ts'

const LONG = 100_000
const bytesOf = (body: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(body))
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The body after all of it: shortened, parsed, written, filled. */
function throughText(short: ShortBody): unknown {
  const body = joinBody(short.fill(JSON.stringify(JSON.parse(textOf(short.bytes)))))
  return JSON.parse(typeof body === 'string' ? body : textOf(body))
}

const BODIES: readonly (readonly [string, unknown])[] = [
  ['base64', { a: 'QUJD'.repeat(LONG / 4) }],
  ['padded base64', { a: `${'QUJD'.repeat(LONG / 4)}QQ==`, b: `${'QUJD'.repeat(LONG / 4)}QUI=` }],
  ['base64 without its padding', { a: `${'QUJD'.repeat(LONG / 4)}QQ` }],
  ['a data URL', { a: [{ url: `data:image/png;base64,${'QUJD'.repeat(LONG / 4)}` }] }],
  ['the same string twice', ['QUJD'.repeat(LONG / 4), 'QUJD'.repeat(LONG / 4)]],
  ['text before it', { prompt: 'é"\\"'.repeat(300), a: 'QUJD'.repeat(LONG / 4) }],
  ['a key that is long', { ['k'.repeat(LONG)]: 1 }],
]

describe('long strings', () => {
  it.each(BODIES)('come back whole: %s', (_what, body) => {
    for (const shorten of [shortenRequest, shortenAnswer]) {
      const short = shorten(bytesOf(body))
      expect(short.bytes.length).toBeLessThan(10_000)
      expect(throughText(short)).toEqual(body)
      expect(short.restore(JSON.parse(textOf(short.bytes)))).toEqual(body)
    }
  })
  it('have stand-ins of the same length modulo four, with the same beginning and padding', () => {
    for (const tail of ['', 'Q', 'QQ', 'QQ==', 'QUI=']) {
      const text = `data:image/png;base64,${'QUJD'.repeat(LONG / 4)}${tail}`
      const [standIn] = JSON.parse(textOf(shortenRequest(bytesOf([text])).bytes))
      expect(standIn.length % 4).toBe(text.length % 4)
      expect(standIn.slice(0, 1024)).toBe(text.slice(0, 1024))
      expect(standIn.endsWith('=')).toBe(text.endsWith('='))
    }
  })
  it.each([
    ['a wrong character', `${'QUJD'.repeat(LONG / 8)}*AAA${'QUJD'.repeat(LONG / 8)}`],
    ['the URL-safe alphabet', `${'QUJD'.repeat(LONG / 8)}-_AA${'QUJD'.repeat(LONG / 8)}`],
    ['an escape', `${'QUJD'.repeat(LONG / 8)}\\\\AA${'QUJD'.repeat(LONG / 8)}`],
    ['letters of other alphabets', 'é'.repeat(LONG)],
  ])('stay in a request for its codec if they have %s', (_what, text) => {
    const bytes = bytesOf({ text })
    expect(shortenRequest(bytes).bytes).toBe(bytes)
  })
  it('stay if they are short or there are very many', () => {
    const few = bytesOf({ a: 'QUJD'.repeat(1000) })
    expect(shortenRequest(few).bytes).toBe(few)
    const many = bytesOf([...Array.from({ length: 30_000 }, () => 'a'), 'QUJD'.repeat(LONG / 4)])
    expect(shortenRequest(many).bytes).toBe(many)
  })
  it('of invalid JSON do not make it valid', () => {
    const broken = new TextEncoder().encode(`{"a":"${'QUJD'.repeat(LONG / 4)}`)
    expect(() => JSON.parse(textOf(shortenRequest(broken).bytes))).toThrow(SyntaxError)
  })
})
