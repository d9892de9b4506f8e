import { DragomanError } from '@dragoman/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clip, clipError, clipList, clipLossPath, clipPath } from '../src/ports/clip.ts'

// The unit `binary` of fast-check makes a table of a million entries first, which takes a second.
const character = fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point))
const anyText = fc.oneof(
  fc.string({ unit: character, maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\u0000', '\n', 'é', '日', '😀', '\ud800', '\udfff'),
    maxLength: 300,
  }),
)

function jsonBytes(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length - 2
}

describe('clip', () => {
  it('keeps the limit in bytes of JSON, for any text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 30, max: 400 }), (text, limit) => {
        const clipped = clip(text, limit)
        expect(jsonBytes(clipped)).toBeLessThanOrEqual(limit)
        expect(clip(clipped, limit)).toBe(clipped)
        expect(clipped.isWellFormed() || !text.isWellFormed()).toBe(true)
        const [, kept = '', count] = /^(.*)\[(\d+) more\]$/s.exec(clipped) ?? []
        const isCounted = text.startsWith(kept) && text.length - kept.length === Number(count)
        expect(clipped === text || isCounted).toBe(true)
      }),
    )
  })

  it('says how many characters are omitted', () => {
    expect(clip('a'.repeat(1000), 124)).toBe(`${'a'.repeat(100)}[900 more]`)
    expect(clip('short', 124)).toBe('short')
  })

  it('does not split a character', () => {
    expect(clip('😀'.repeat(100), 100).isWellFormed()).toBe(true)
    expect(clip(`a${'😀'.repeat(100)}`, 100).isWellFormed()).toBe(true)
  })

  it('accepts paths of any length and depth', () => {
    expect(clipPath(['messages', 0, 'content'], 80)).toBe('messages.0.content')
    expect(clipPath([], 80)).toBe('')
    expect(jsonBytes(clipPath(['extras', 'k'.repeat(10_000_000)], 80))).toBeLessThanOrEqual(80)
    const deep = clipPath(
      Array.from({ length: 1_000_000 }, () => 'a'),
      80,
    )
    expect(jsonBytes(deep)).toBeLessThanOrEqual(80)
    expect(deep).toMatch(/^a\.a.*more\]$/)
  })

  it('counts the rest of a list', () => {
    expect(clipList([1, 2, 3], 3, String)).toEqual(['1', '2', '3'])
    expect(clipList([1, 2, 3, 4, 5], 3, String)).toEqual(['1', '2', '3', '[2 more]'])
  })

  it('leaves an error unchanged unless something in it is long', () => {
    const short = new DragomanError('invalid-request', 'No.', { param: 'model', code: 'c', retryAfter: 1 })
    expect(clipError(short)).toBe(short)
    const facts = {
      param: 'p'.repeat(10_000),
      code: 'c'.repeat(10_000),
      retryAfter: 2,
      retry: false,
      cause: short,
    } as const
    const long = clipError(new DragomanError('invalid-request', 'm'.repeat(10_000), facts))
    expect(long).toMatchObject({ kind: 'invalid-request', retryAfter: 2, retry: false, cause: short })
    expect(long.message.length).toBeLessThanOrEqual(4096)
    expect(long.param?.length).toBeLessThanOrEqual(512)
    expect(long.code?.length).toBeLessThanOrEqual(128)
  })
})

describe('clipLossPath', () => {
  const loss = { kind: 'dropped', path: ['settings', 'topK'], reason: 'none' } as const

  it("is the path in the caller's own body, where there is one", () => {
    expect(clipLossPath({ ...loss, wirePath: 'generationConfig.topK' }, 80)).toBe('generationConfig.topK')
    expect(clipLossPath(loss, 80)).toBe('settings.topK')
  })

  it('is short, whatever the caller named its members', () => {
    expect(clipLossPath({ ...loss, wirePath: 'x'.repeat(100_000) }, 80).length).toBeLessThanOrEqual(80)
  })
})
