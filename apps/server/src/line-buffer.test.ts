import { expect, it } from 'vitest'
import { createLineBuffer } from './line-buffer.ts'

/** Short, empty and long lines, with one to three bytes for a character. */
const LINES = [
  'a\n',
  '',
  'é\n',
  '語'.repeat(7),
  '😀\n',
  'x'.repeat(30),
  '語'.repeat(40),
  'x'.repeat(63),
  'x'.repeat(200),
]
const BATCHES = Array.from({ length: 60 }, (_none, batch) =>
  Array.from({ length: (batch * 7) % 9 }, (_other, index) => LINES[(batch + index * index) % LINES.length] ?? ''),
)

it('returns all lines in order, and keeps them until the next ones are taken', () => {
  const buffer = createLineBuffer(64)
  let before: { readonly taken: Buffer; readonly expected: string } = { taken: Buffer.from(''), expected: '' }
  for (const lines of BATCHES) {
    for (const line of lines) buffer.append(line)
    const expected = lines.join('')
    expect(buffer.size).toBe(Buffer.byteLength(expected))
    // The batch before may be in the middle of being written.
    expect(before.taken.toString()).toBe(before.expected)
    before = { taken: buffer.take(), expected }
    expect(before.taken.toString()).toBe(expected)
    expect(buffer.size).toBe(0)
  }
})
