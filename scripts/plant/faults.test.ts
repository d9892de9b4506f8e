import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../sources.ts'
import { FAULTS, KINDS } from './faults.ts'

describe('the faults of `npm run plant`', () => {
  it.each(FAULTS)('can be planted: $name', ({ file, text, instead }) => {
    const source = readFileSync(`${ROOT}/${file}`, 'utf8')
    expect(source.split(text)).toHaveLength(2)
    expect(instead).not.toBe(text)
  })

  it('have names of their own, and there is one of every kind', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
    expect(new Set(FAULTS.map(({ kind }) => kind))).toEqual(new Set(KINDS))
  })
})
