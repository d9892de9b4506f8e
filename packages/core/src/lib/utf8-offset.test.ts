import { describe, expect, it } from 'vitest'
import { createOffsets, utf8Length, wholeIndex } from './utf8-offset.ts'

const texts = ['', 'plain', 'né 日本 👍!', 'half \ud83d pair', '\ude00\ud83d', '👩‍👩‍👧']

describe('places of a text in its bytes', () => {
  it.each(texts)('counts the bytes of %j as an encoder does', (text) => {
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
    expect(createOffsets(text).bytes).toBe(utf8Length(text))
  })

  it.each(texts)('finds every character of %j both ways', (text) => {
    const offsets = createOffsets(text)
    for (let index = 0; index <= text.length; index++) {
      const whole = wholeIndex(text, index)
      expect(offsets.byteAt(index)).toBe(offsets.byteAt(whole))
      expect(offsets.indexAt(offsets.byteAt(index))).toBe(whole)
    }
  })

  it('finds nothing inside a character, before the text or behind it', () => {
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
