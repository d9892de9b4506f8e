import { describe, expect, it } from 'vitest'
import { noteWatcherErrors } from './watcher-errors.ts'

describe('errors of watchers', () => {
  it('are noted with their class and place, without their message', () => {
    const notes: string[] = []
    const note = noteWatcherErrors({ note: (level, text) => void notes.push(`${level} ${text}`) })
    note('onAttempt', new TypeError('the prompt: my secret'))
    note('onSettle', 'my secret')
    expect(notes).toEqual([
      expect.stringMatching(
        /^error onAttempt failed, .* TypeError at .*watcher-errors\.test\.ts(?:\?vitest=\d+)?:\d+:\d+\)?$/,
      ),
      'error onSettle failed, and the call went on without it: a string',
    ])
    expect(notes.join()).not.toContain('secret')
  })

  it('are noted once in ten seconds each', () => {
    const notes: string[] = []
    let now = 0
    const note = noteWatcherErrors({ note: (_level, text) => void notes.push(text) }, () => now)
    for (const at of [0, 1000, 9999, 10_000]) {
      now = at
      note('log', 'same')
    }
    note('ledger', 'same')
    expect(notes).toHaveLength(3)
  })
})
