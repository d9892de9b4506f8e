import { describe, expect, it } from 'vitest'
import { createTagSplitter } from './tag-splitter.ts'

function split(...pieces: readonly string[]) {
  const found = { inside: '', outside: '' }
  const splitter = createTagSplitter({
    open: '<a>',
    close: '</a>',
    inside: (text) => (found.inside += text),
    outside: (text) => (found.outside += text),
  })
  for (const piece of pieces) splitter.push(piece)
  splitter.flush()
  return found
}

describe('a tag splitter', () => {
  it.each([
    ['<a>in</a>\n\nout', { inside: 'in', outside: 'out' }],
    ['\n<a>in < </ </a </a>out <a>x</a>', { inside: 'in < </ </a ', outside: 'out <a>x</a>' }],
    ['<a></a>out', { inside: '', outside: 'out' }],
    ['<a>in</a>\n \n  out\n', { inside: 'in', outside: '  out\n' }],
    ['<a>in</a>\n\n', { inside: 'in', outside: '' }],
    ['<a>in</', { inside: 'in</', outside: '' }],
    ['  <b>out', { inside: '', outside: '  <b>out' }],
    ['out <a>x</a>', { inside: '', outside: 'out <a>x</a>' }],
    ['\n\n', { inside: '', outside: '\n\n' }],
    ['<', { inside: '', outside: '<' }],
    ['', { inside: '', outside: '' }],
  ])('splits %j, with a cut at any position', (text, expected) => {
    expect(split(text)).toEqual(expected)
    expect(split(...text.split(''))).toEqual(expected)
    for (let at = 0; at <= text.length; at++) expect(split(text.slice(0, at), text.slice(at))).toEqual(expected)
  })
})
