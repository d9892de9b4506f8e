import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkSecret, createSecret, digestOf, hintOf, PREFIX } from './secret.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('a secret', () => {
  it('has the prefix, 32 random letters and digits, and the CRC-32 of both in base 62', () => {
    const secret = createSecret()
    expect(secret).toMatch(/^dgm_[0-9A-Za-z]{38}$/)
    const digits = secret
      .slice(-6)
      .split('')
      .reduce((number, digit) => number * 62 + ALPHABET.indexOf(digit), 0)
    expect(digits).toBe(crc32(secret.slice(0, -6)))
  })

  it('is another one each time, with all letters equally likely', () => {
    const secrets = Array.from({ length: 2000 }, createSecret)
    expect(new Set(secrets).size).toBe(2000)
    const counts = new Map<string, number>()
    for (const letter of secrets.flatMap((secret) => secret.slice(4, 36).split(''))) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    expect(counts.size).toBe(62)
    // 64,000 letters: 1032 of each, with a standard deviation of 32.
    for (const count of counts.values()) expect(Math.abs(count - 1032)).toBeLessThan(260)
  })

  it('is not whole if a letter is wrong, missing, doubled or swapped with its neighbour', () => {
    const secret = createSecret()
    expect(checkSecret(secret)).toBe('whole')
    for (let at = PREFIX.length; at < secret.length; at++) {
      const letter = secret[at] ?? ''
      const other = letter === 'x' ? 'y' : 'x'
      expect(checkSecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe('mistyped')
      expect(checkSecret(secret.slice(0, at) + secret.slice(at + 1))).toBe('mistyped')
      expect(checkSecret(secret.slice(0, at) + letter + secret.slice(at))).toBe('mistyped')
      const next = secret[at + 1] ?? letter
      if (next === letter) continue
      expect(checkSecret(secret.slice(0, at) + next + letter + secret.slice(at + 2))).toBe('mistyped')
    }
    expect(checkSecret('sk-of-somebody-else')).toBe('other')
  })

  it('shows only four of its letters', () => {
    const secret = createSecret()
    expect(hintOf(secret)).toBe(secret.slice(0, 8))
  })

  it('is stored as its SHA-256', async () => {
    // The example of FIPS 180-2.
    expect(await digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
