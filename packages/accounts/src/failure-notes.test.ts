import { expect, it } from 'vitest'
import { createFailureNotes } from './failure-notes.ts'
import { UnstorableError } from './store/unstorable.ts'

it('pass on one failure in ten seconds, and every call that the store refuses', () => {
  let now = 1000
  const notes: unknown[] = []
  const fail = createFailureNotes(
    { title: 'SQLite' },
    (text, thrown) => notes.push([text, thrown]),
    () => now,
  )
  const [first, second, third] = ['first', 'second', 'third'].map((text) => new Error(text))
  const refused = new UnstorableError('too large')
  fail(first)
  now += 9999
  fail(second)
  fail(refused)
  now += 10_000
  fail(third)
  const text = 'the store of keys and usage (SQLite) fails'
  expect(notes).toEqual([
    [text, first],
    [text, refused],
    [text, third],
  ])
})
