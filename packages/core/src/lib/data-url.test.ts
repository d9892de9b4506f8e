import { describe, expect, it } from 'vitest'
import { formatDataUrl, parseDataUrl } from './data-url.ts'

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
