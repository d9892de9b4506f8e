import { describe, expect, it } from 'vitest'
import { createOffsets, utf8Length } from './utf8-offset.ts'

const texts = ['', 'plain', 'né 日本 👍!', 'half \ud83d pair', '\ude00\ud83d', '👩‍👩‍👧']

describe('positions of a text in its bytes', () => {
  it.each(texts)('counts the bytes of %j as an encoder does', (text) => {
    const { length, bytes } = createOffsets(text)
    expect([length, bytes]).toEqual([text.length, new TextEncoder().encode(text).length])
    expect(utf8Length(text)).toBe(bytes)
  })

  it.each(texts)('finds every character of %j in both directions', (text) => {
    const offsets = createOffsets(text)
    for (let index = 0; index <= text.length; index++) {
      const whole = offsets.wholeIndex(index)
      expect(whole).toBe(isInsidePair(text, index) ? index - 1 : index)
      expect(offsets.byteAt(index)).toBe(offsets.byteAt(whole))
      expect(offsets.indexAt(offsets.byteAt(index))).toBe(whole)
    }
  })

  it.each(texts)('counts %j the same whole and unit by unit', (text) => {
    const whole = createOffsets(text)
    const streamed = createOffsets()
    for (let index = 0; index < text.length; index++) streamed.add(text[index] ?? '')
    expect(streamed.bytes).toBe(whole.bytes)
    for (let index = 0; index <= text.length; index++) expect(streamed.byteAt(index)).toBe(whole.byteAt(index))
  })

  it('finds nothing inside a character, before the text or after it', () => {
    const offsets = createOffsets('a日👍')
    expect([-1, 2, 3, 5, 9, 100].map((byte) => offsets.indexAt(byte))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(offsets.indexAt(8)).toBe(4)
    expect(createOffsets('ab').indexAt(3)).toBeUndefined()
  })
})

function isInsidePair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff
}
