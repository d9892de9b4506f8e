import { describe, expect, it } from 'vitest'
import { COST_OF, fittingLoads, planLoad, WARM_UP_MS, type LoadName } from './plan.ts'
import { selectCandidates } from './selection.ts'
import { beforeOf, listCandidates } from './subjects.ts'

const ALL: readonly LoadName[] = ['small', 'large', 'tokens']
/** What is left of 15 and of 4 minutes when all servers have started. */
const FULL_MS = 820_000
const SHORT_MS = 215_000

/** The rounds of each load, if nothing is left over by the one before. */
function roundsOf(loads: readonly LoadName[], servers: number, timeMs: number): number[] {
  let remaining = timeMs
  return loads.map((name, index) => {
    const { warmUps, limitMs } = planLoad(loads.slice(index), servers, remaining)
    remaining -= limitMs
    const { leadMs, windowMs } = COST_OF[name]
    return (limitMs - warmUps * servers * (WARM_UP_MS + 200)) / (servers * (leadMs + windowMs + 200))
  })
}

describe('the time of a run', () => {
  it('is enough for eight rounds of every load with every server of a full run', () => {
    const servers = selectCandidates(listCandidates(), { pace: 'full', before: false }).length
    expect(servers).toBe(21)
    expect(fittingLoads(ALL, servers, FULL_MS)).toEqual(ALL)
    expect(planLoad(ALL, servers, FULL_MS).warmUps * WARM_UP_MS).toBeGreaterThanOrEqual(8000)
    expect(Math.min(...roundsOf(ALL, servers, FULL_MS))).toBeGreaterThan(7)
  })

  it('is divided between the loads, and used up by the last one', () => {
    expect(planLoad(['tokens'], 4, 50_000).limitMs).toBe(50_000)
    const limits = ALL.map((_name, index) => planLoad(ALL.slice(index), 4, 100_000).limitMs)
    expect(limits[0]).toBeLessThan(limits[1] ?? 0)
    expect(limits[1]).toBeLessThan(limits[2] ?? 0)
  })

  it('has less warm-up before a load is left out, and leaves out the last ones first', () => {
    expect(planLoad(ALL, 4, 10_000_000).warmUps).toBe(6)
    expect(fittingLoads(ALL, 4, SHORT_MS)).toEqual(ALL)
    expect(fittingLoads(ALL, 14, SHORT_MS)).toEqual(['small'])
    expect(fittingLoads(['tokens'], 14, SHORT_MS)).toEqual(['tokens'])
    expect(planLoad(['small'], 1000, 1000).warmUps).toBe(1)
  })
})

describe('the only load of a run', () => {
  it.each(ALL)('warms up servers that no other one has warmed up: %s', (load) => {
    expect(planLoad([load], 4, SHORT_MS, true).warmUps * WARM_UP_MS).toBe(30_000)
    expect(planLoad([load], 4, SHORT_MS).warmUps).toBe(COST_OF[load].warmUps)
  })

  it('has time for eight rounds behind it', () => {
    const { warmUps, limitMs } = planLoad(['small'], 6, SHORT_MS, true)
    const rounds = (limitMs - warmUps * 6 * (WARM_UP_MS + 200)) / (6 * (150 + 400 + 200))
    expect(rounds).toBeGreaterThan(8)
  })
})

describe('the servers of a run', () => {
  const names = (...[options, before]: [Parameters<typeof selectCandidates>[1], string?]): string[] =>
    selectCandidates(listCandidates(before), options).map(({ name }) => name)
  const YARDSTICKS = ['node:http pass-through', 'the same once more']
  const isPair = (name: string): boolean => name.startsWith('dragoman ')

  it('are all four relays and all twelve translations, and peers, in a full run', () => {
    const all = names({ pace: 'full', before: false })
    expect(all.filter(isPair)).toHaveLength(16)
    expect(all).toEqual(expect.arrayContaining([...YARDSTICKS, 'node:http + undici dispatch', 'Portkey chat → chat']))
  })

  it('are those with a text in their kind or name, and the yardsticks', () => {
    expect(names({ pace: 'full', only: 'chat → chat', before: false })).toEqual([...YARDSTICKS, 'dragoman chat → chat'])
    expect(names({ pace: 'full', only: 'relay', before: false }).filter(isPair)).toHaveLength(4)
    expect(names({ pace: 'full', only: 'translate', before: false }).filter(isPair)).toHaveLength(12)
    expect(names({ pace: 'full', only: 'Portkey chat → chat', before: false })).toEqual([
      ...YARDSTICKS,
      'Portkey chat → chat',
    ])
    expect(() => names({ pace: 'full', only: 'chart', before: false })).toThrow(
      'No server has chart in its kind or name',
    )
  })

  it('have their counterparts of another checkout beside them', () => {
    const relays = names({ pace: 'full', only: 'relay', before: true }, '/elsewhere')
    const own = relays.filter(isPair)
    expect(relays.slice(-4)).toEqual(own.map(beforeOf))
    expect(names({ pace: 'full', before: true }, '/elsewhere')).toHaveLength(6)
  })
})
