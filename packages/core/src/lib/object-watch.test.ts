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

  it('is never complete for what is no object', () => {
    expect(watched('[1]', '"}"', '12')).toEqual([false, false, false])
    expect(watched('{a}', '}')).toEqual([false, false])
    expect(watched('}', '{}')).toEqual([false, false])
  })

  it('is no longer complete when more comes', () => {
    expect(watched('{}', '{}', '')).toEqual([true, false, false])
    expect(watched('{}x', '}')).toEqual([false, false])
  })

  it('sees braces in strings, escapes at the ends of pieces, and characters in pieces', () => {
    expect(watched('{"a', '":"', '\\', '"', '{', '"', '}')).toEqual([false, false, false, false, false, false, true])
    expect(watched('{"\ud83d', '\ude00":1}')).toEqual([false, true])
  })
})
