import { describe, expect, it } from 'vitest'
import { formatDataUrl, parseDataUrl, imageTypeOf, imageTypeOfBytes } from './data-url.ts'

describe('data URLs', () => {
  it('are split into media type and data, and joined again', () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    expect(parseDataUrl(url)).toEqual({ mime: 'image/png', data: 'iVBORw0KGgo=' })
    expect(formatDataUrl({ mime: 'image/png', data: 'iVBORw0KGgo=' })).toBe(url)
  })

  it.each(['https://example.com/a.png', 'data:image/png,raw', 'data:;nothing', '', 'DATA', ';base64,aaaa'])(
    'leaves "%s" unchanged',
    (url) => {
      expect(parseDataUrl(url)).toBeUndefined()
    },
  )

  it('does not search megabytes of data for the mark', () => {
    expect(parseDataUrl(`data:${'x'.repeat(1_000_000)};base64,AAAA`)).toBeUndefined()
  })
})

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
