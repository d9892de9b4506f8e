import { describe, expect, it } from 'vitest'
import { coverageOf } from './coverage.ts'
import type { Row } from './coverage.ts'
import rows from './rows.json' with { type: 'json' }
import { mentionsIn } from './titles.ts'

const known = new Set(['chat', 'base'])
const row = (id: string, ...sides: string[]): Row => ({ id, section: 'Any', beyond: false, text: 'any', sides })
const read = (source: string) => mentionsIn('any.test.ts', source, known).map(({ id, side }) => [id, side].join(':'))

describe('the titles of tests', () => {
  it('names several rows in one title, with and without a side', () => {
    expect(read("it('keeps stops [chat.stop:in] [chat.stop:through] [base.chat]', run)")).toEqual([
      'chat.stop:in',
      'chat.stop:through',
      'base.chat:',
    ])
  })

  it('reads double quotes and templates, and gives the line', () => {
    expect(mentionsIn('any.test.ts', 'it(\n"[chat.n]",\n`[base.chat]`)', known)).toEqual([
      { id: 'chat.n', side: undefined, file: 'any.test.ts', line: 2 },
      { id: 'base.chat', side: undefined, file: 'any.test.ts', line: 3 },
    ])
  })

  it.each([
    ['comments', "// it('[chat.n]')\n/* '[chat.n]' */"],
    ['code', 'const list = [chat.stop]'],
    ['regular expressions', 'const quote = /[\'"]/\nconst list = [chat.stop]'],
    ['words that are not the start of a row id', "it('says [DONE] and [other.word]', run)"],
    ['disabled tests', "it.skip('[chat.n]', run); it.todo('[chat.n]')"],
  ])('leaves out %s', (_, source) => {
    expect(read(source)).toEqual([])
  })

  it('continues after a regular expression that contains a quote', () => {
    expect(read("expect(text).toMatch(/it's/)\nit('[chat.n]', run)")).toEqual(['chat.n:'])
  })
})

describe('coverage', () => {
  const spec = [row('chat.n'), row('chat.stop', 'in', 'through')]
  const cover = (source: string) => coverageOf(spec, mentionsIn('any.test.ts', source, known))

  it('counts both sides of a row that has two', () => {
    const { proven, total, open } = cover("it('[chat.stop:in]', run)")
    expect([proven, total]).toEqual([1, 3])
    expect(open.map((entry) => [entry.row.id, ...entry.sides])).toEqual([['chat.n'], ['chat.stop', 'through']])
  })

  it('finds rows and sides that do not exist in the specification', () => {
    const { unknown } = cover("it('[chat.stop:out] [chat.m] [chat.n:in] [chat.n]', run)")
    expect(unknown.map(({ id, side }) => [id, side])).toEqual([
      ['chat.stop', 'out'],
      ['chat.m', undefined],
      ['chat.n', 'in'],
    ])
  })

  it('counts nothing for a two-sided row without its side', () => {
    const { proven, sideless } = cover("it('[chat.stop]', run)")
    expect([proven, sideless.length]).toEqual([0, 1])
  })
})

describe('the rows', () => {
  it('have unique ids that titles can contain', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    const every = new Set(rows.map(({ id }) => id.slice(0, id.indexOf('.'))))
    const titles = rows.map(({ id }) => `'[${id}]'`).join('\n')
    expect(mentionsIn('any.test.ts', titles, every).map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  })
})
