import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { hmacSha256, sha256 } from './sha256.ts'

it.each(['', 'abc', 'é漢😀', ...[55, 56, 63, 64, 65, 119, 120, 1000].map((length) => 'x'.repeat(length))])(
  'hashes %j as Node does',
  (text) => {
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
  },
)

it.each([0, 5, 64, 65, 200].flatMap((key) => [0, 1, 64, 300].map((length) => [key, length] as const)))(
  'signs with a key of %i bytes a message of %i bytes as Node does',
  (keyLength, length) => {
    const key = Uint8Array.from({ length: keyLength }, (_, index) => index)
    const message = Uint8Array.from({ length }, (_, index) => 255 - (index % 256))
    const signature = Buffer.from(hmacSha256(key, message)).toString('hex')
    expect(signature).toBe(createHmac('sha256', key).update(message).digest('hex'))
  },
)
