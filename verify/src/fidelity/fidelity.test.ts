import { describe, expect, it } from 'vitest'
import { CORPUS } from './corpus.ts'
import { dragoman } from './dragoman.ts'
import { judge, lookOf, read, type Check } from './judge.ts'

const line = ({ verdict, section, from, via, to, name, fact }: Check): string =>
  `${verdict}: ${section}, ${from} → ${via === undefined ? '' : `${via} → `}${to}: ${name}: ${fact}`

describe('the fidelity corpus', () => {
  it('finds every fact in the wire that states it', () => {
    const stated = CORPUS.filter(({ echoed }) => echoed === undefined)
    const astray = stated.flatMap((fixture) =>
      fixture.facts
        .filter(({ implied }) => implied === undefined)
        .filter((fact) => lookOf(fact.in[fixture.from])?.(read(fixture, fixture.from, fixture.wire)) !== 'kept')
        .map((fact) => `${fixture.kind}, ${fixture.from}: ${fixture.name}: ${fact.name}`),
    )
    expect(astray).toEqual([])
  })

  it('has no duplicates', () => {
    const names = CORPUS.map(({ kind, area, from, name }) => `${kind}, ${area}, ${from}: ${name}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})

describe('dragoman', async () => {
  const checks = await judge(dragoman, CORPUS)

  it('is checked against at least 700 facts', () => {
    expect(checks.length).toBeGreaterThanOrEqual(700)
  })

  it('keeps every fact that the target can express', () => {
    expect(checks.filter(({ expressible, verdict }) => expressible && verdict !== 'kept').map(line)).toEqual([])
  })

  it('never loses a fact silently, never changes one and never crashes', () => {
    const good = new Set(['kept', 'reported'])
    expect(checks.filter(({ verdict }) => !good.has(verdict)).map(line)).toEqual([])
  })
})
