import { describe, expect, it } from 'vitest'
import { asDragomanError, DragomanError } from './error.ts'

describe('DragomanError.isInstance', () => {
  it('knows the errors of another copy of the package', async () => {
    // Another address is another module.
    const copy = (await import(new URL('./error.ts?copy', import.meta.url).href)) as typeof import('./error.ts')
    const error = new copy.DragomanError('overloaded', 'Too many of you.')
    expect(error).not.toBeInstanceOf(DragomanError)
    expect(DragomanError.isInstance(error)).toBe(true)
    expect(asDragomanError(error)).toBe(error)
  })

  it('knows no other errors, and nothing that just looks alike', () => {
    const alike = { name: 'DragomanError', kind: 'overloaded', message: 'Too many of you.' }
    for (const value of [new Error('x'), alike, null, undefined, 'DragomanError', 1])
      expect(DragomanError.isInstance(value)).toBe(false)
  })
})
