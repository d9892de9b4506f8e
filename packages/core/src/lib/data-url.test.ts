import { describe, expect, it } from 'vitest'
import { formatDataUrl, parseDataUrl } from './data-url.ts'

describe('data URLs', () => {
  it('come apart into media type and data, and together again', () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    expect(parseDataUrl(url)).toEqual({ mime: 'image/png', data: 'iVBORw0KGgo=' })
    expect(formatDataUrl({ mime: 'image/png', data: 'iVBORw0KGgo=' })).toBe(url)
  })

  it.each(['https://example.com/a.png', 'data:image/png,raw', 'data:;nothing', '', 'DATA', ';base64,aaaa'])(
    'leaves "%s" alone',
    (url) => {
      expect(parseDataUrl(url)).toBeUndefined()
    },
  )

  it('does not look for the mark in megabytes of data', () => {
    expect(parseDataUrl(`data:${'x'.repeat(1_000_000)};base64,AAAA`)).toBeUndefined()
  })
})
