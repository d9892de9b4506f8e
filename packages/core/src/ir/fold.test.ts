import { describe, expect, it } from 'vitest'
import { DragomanError } from './error.ts'
import { createFold } from './fold.ts'
import type { StreamEvent } from './stream.ts'
import { overwrite } from './usage.ts'

const fold = (...events: StreamEvent[]) => {
  const folded = createFold()
  for (const event of events) folded.push(event)
  return folded
}
const start: StreamEvent = { type: 'start', response: { id: 'r1', model: 'm' }, usage: { input: 9, output: 1 } }
const end: StreamEvent = { type: 'end', candidate: { finish: { reason: 'stop' } }, usage: { output: 5 } }

describe('createFold', () => {
  it('collects blocks, late seals and citations in order', () => {
    const seal = { issuer: 'anthropic', value: 'sig' }
    const citation = { source: { kind: 'url', url: 'https://a' } } as const
    const folded = fold(
      start,
      { type: 'block-start', part: { type: 'reasoning', text: '' } },
      { type: 'block-delta', text: 'th' },
      { type: 'block-delta', text: 'ink' },
      { type: 'block-patch', seal },
      { type: 'block-end' },
      { type: 'block-start', part: { type: 'tool-call', id: 'c', name: 'f', arguments: '', by: 'client' } },
      { type: 'block-delta', text: '{"a"' },
      { type: 'block-delta', text: ':1}' },
      { type: 'block-end' },
      { type: 'block-start', part: { type: 'text', text: '' } },
      { type: 'block-delta', text: 'said' },
      { type: 'block-patch', citation },
      { type: 'block-patch', citation },
      { type: 'block-end' },
      end,
    )
    expect(folded.response()).toEqual({
      id: 'r1',
      model: 'm',
      candidates: [
        {
          parts: [
            { type: 'reasoning', text: 'think', seal },
            { type: 'tool-call', id: 'c', name: 'f', arguments: '{"a":1}', by: 'client' },
            { type: 'text', text: 'said', citations: [citation, citation] },
          ],
          finish: { reason: 'stop' },
        },
      ],
      usage: { input: 9, output: 5 },
    })
  })

  it('keeps the last value of extras from several chunks', () => {
    const folded = fold(
      start,
      { type: 'extras', of: 'response', extras: { chat: { a: 1, b: 1 } } },
      { type: 'extras', of: 'response', extras: { chat: { b: 2 }, messages: { c: 3 } } },
      end,
    )
    expect(folded.response().extras).toEqual({ chat: { a: 1, b: 2 }, messages: { c: 3 } })
  })

  it('throws the error of a stream, and an interruption if it has not ended', () => {
    const broken = fold(start, { type: 'error', error: new DragomanError('overloaded', 'Too much.') })
    expect(() => broken.response()).toThrow('Too much.')
    expect(() => fold(start).response()).toThrow(expect.objectContaining({ kind: 'interrupted' }))
  })
})

describe('overwrite', () => {
  it('uses the last value of each counter and never adds (trap 15)', () => {
    expect(overwrite({ input: 10, output: 1 }, { input: 10, output: 7 })).toEqual({ input: 10, output: 7 })
    expect(overwrite({ input: 10 }, { output: 7 })).toEqual({ input: 10, output: 7 })
    expect([overwrite(undefined, { input: 1 }), overwrite({ input: 1 }, undefined)]).toEqual([
      { input: 1 },
      { input: 1 },
    ])
  })
})
