import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createObjectWatch, createStringMember } from './json-pieces.ts'

/** Whether it is complete after each piece. */
function watched(...pieces: string[]): boolean[] {
  const watch = createObjectWatch()
  return pieces.map((piece) => {
    watch.add(piece)
    return watch.complete()
  })
}

describe('createObjectWatch', () => {
  it('is complete when the object ends, and not before', () => {
    expect(watched('{"a":', '{}', ',"b":"}', '\\"}', '"', '}')).toEqual([false, false, false, false, false, true])
    expect(watched('{', '}', ' ')).toEqual([false, true, true])
  })

  it('is never complete for text that is not an object', () => {
    expect(watched('[1]', '"}"', '12')).toEqual([false, false, false])
    expect(watched('{a}', '}')).toEqual([false, false])
    expect(watched('}', '{}')).toEqual([false, false])
  })

  it('is no longer complete when more text comes', () => {
    expect(watched('{}', '{}', '')).toEqual([true, false, false])
    expect(watched('{}x', '}')).toEqual([false, false])
  })

  it('handles braces in strings, escapes at the end of a piece, and split characters', () => {
    expect(watched('{"a', '":"', '\\', '"', '{', '"', '}')).toEqual([false, false, false, false, false, false, true])
    expect(watched('{"\ud83d', '\ude00":1}')).toEqual([false, true])
  })
})

/** The text of an object that arrives in pieces of these sizes. */
function read(json: string, sizes: readonly number[]): string {
  const member = createStringMember('input')
  let text = ''
  let at = 0
  for (const size of [...sizes, json.length]) {
    text += member.add(json.slice(at, at + size))
    at += size
  }
  return text + member.rest()
}

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 })
const written = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', '\\', '\n', '\u2028', '😀', 'é', '{', '}'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
})

describe('a string member that arrives in pieces', () => {
  it('is the text of the string, however the object is cut', () => {
    fc.assert(fc.property(written, sizes, (text, cuts) => read(JSON.stringify({ input: text }), cuts) === text))
  })
  it('is the same if every character is escaped', () => {
    const escaped = (text: string): string =>
      text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    fc.assert(fc.property(written, sizes, (text, cuts) => read(`{"input":"${escaped(text)}"}`, cuts) === text))
  })
  it('may have white space around it, and other members behind it', () => {
    const spaced = ' {\n "input" :\t"a\\nb" , "more": "c" }'
    for (let size = 1; size < spaced.length; size++) expect(read(spaced, Array(spaced.length).fill(size))).toBe('a\nb')
  })
  it('is the whole text if that does not begin with the member', () => {
    const others = [
      '*** Begin Patch',
      '{"other":"x"}',
      '{"input":1}',
      '{"inputs":"x"}',
      '[]',
      '"input"',
      '',
      `{${' '.repeat(300)}`,
    ]
    for (const text of others)
      for (const size of [1, 3, 100]) expect(read(text, Array(text.length).fill(size))).toBe(text)
  })
  it('keeps what a model left unescaped', () => {
    expect(read('{"input":"a\nb\\tc"}', [4, 9])).toBe('a\nb\tc')
  })
})
