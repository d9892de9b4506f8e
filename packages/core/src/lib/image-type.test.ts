import { expect, it } from 'vitest'
import { imageTypeOf, imageTypeOfBytes } from './image-type.ts'

const WEBP = [...new TextEncoder().encode('RIFF'), 1, 2, 3, 4, ...new TextEncoder().encode('WEBPVP8 ')]

it.each([
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]],
  ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0, 0, 16]],
  ['image/gif', [...new TextEncoder().encode('GIF89a')]],
  ['image/webp', WEBP],
  [undefined, [1, 2, 3, 4]],
  [undefined, []],
])('recognises %s by its first bytes', (type, bytes) => {
  expect(imageTypeOfBytes(Uint8Array.from(bytes))).toBe(type)
  expect(imageTypeOf(btoa(String.fromCharCode(...bytes)))).toBe(type)
})
