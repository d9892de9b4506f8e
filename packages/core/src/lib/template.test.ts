import { describe, expect, it } from 'vitest'
import { template } from './template.ts'

describe('template', () => {
  it('writes what JSON.stringify would have written', () => {
    const shape = (text: string) => ({ a: 1, inner: [{ text }], z: 'end' })
    const write = template(shape, 'data: ', '\n\n')
    for (const text of ['', 'plain', '"quoted" \\ \n\u0000', '\ud800 alone', 'hole', '😀']) {
      expect(write(text)).toBe(`data: ${JSON.stringify(shape(text))}\n\n`)
    }
  })

  it('fills every hole', () => {
    const shape = (text: string) => ({ reasoning: text, reasoning_content: text, third: [text] })
    expect(template(shape, '', '')('x"y')).toBe(JSON.stringify(shape('x"y')))
  })

  it('takes a text that looks like a replacement pattern as it is', () => {
    expect(template((text) => ({ text }), '', '')("$& $1 $' $$")).toBe(JSON.stringify({ text: "$& $1 $' $$" }))
  })
})
