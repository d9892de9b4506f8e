import { expect, it, describe } from 'vitest'
import { createTextBuffer, template } from './streamed-text.ts'

it('returns all pieces in order at any time', () => {
  const buffer = createTextBuffer('a')
  let expected = 'a'
  for (let i = 0; i < 200; i++) {
    buffer.add(`${i},`)
    expected += `${i},`
    // Asked between two pieces, it goes on as if it had not been.
    expect(i % 37 > 0 || buffer.text() === expected).toBe(true)
  }
  expect(buffer.text()).toBe(expected)
})

describe('template', () => {
  it('writes the same text as JSON.stringify', () => {
    const shape = (text: string) => ({ a: 1, inner: [{ text }], z: 'end' })
    const write = template(shape, 'data: ', '\n\n')
    for (const text of ['', 'plain', '"quoted" \\ \n\u0000', '\ud800 alone', 'hole', '😀']) {
      expect(write(text)).toBe(`data: ${JSON.stringify(shape(text))}\n\n`)
    }
  })

  it('fills every placeholder', () => {
    const shape = (text: string) => ({ reasoning: text, reasoning_content: text, third: [text] })
    expect(template(shape, '', '')('x"y')).toBe(JSON.stringify(shape('x"y')))
  })

  it('writes a text like a replacement pattern unchanged', () => {
    expect(template((text) => ({ text }), '', '')("$& $1 $' $$")).toBe(JSON.stringify({ text: "$& $1 $' $$" }))
  })
})
