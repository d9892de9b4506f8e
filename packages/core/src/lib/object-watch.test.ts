import { describe, expect, it } from 'vitest'
import { createObjectWatch } from './object-watch.ts'

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
