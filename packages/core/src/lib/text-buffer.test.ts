import { expect, it } from 'vitest'
import { createTextBuffer } from './text-buffer.ts'

it('returns all pieces in order at any time', () => {
  const grown = createTextBuffer('a')
  let expected = 'a'
  for (let i = 0; i < 200; i++) {
    grown.add(`${i},`)
    expected += `${i},`
    // Asked between two pieces, it goes on as if it had not been.
    expect(i % 37 > 0 || grown.text() === expected).toBe(true)
  }
  expect(grown.text()).toBe(expected)
})
