import { describe, expect, it } from 'vitest'
import { isStable } from '../stable.ts'
import { describeAA, differenceOf, voidOf } from './rules.ts'
import { joinLaunches, needsLaunch } from './launches.ts'
import { takeRounds, warmUp, type Reading } from './rounds.ts'

const READING: Reading = { micros: 100, perSecond: 1, busy: 1, p50Ms: 1, p99Ms: 1, maxMs: 1, gc: 0, stallMs: 0 }

const CALLS = { stream: false, connections: 32 }
const STREAMS = { stream: true, connections: 100 }

/** Gives each subject its own figures in turn, then repeats the last one. */
function scripted(micros: { readonly [subject: string]: readonly (number | undefined)[] }) {
  const taken: string[] = []
  const take = async (subject: string): Promise<Reading | undefined> => {
    const turn = taken.filter((each) => each === subject).length
    taken.push(subject)
    const own = micros[subject] ?? []
    const value = own[Math.min(turn, own.length - 1)]
    return value === undefined ? undefined : { ...READING, micros: value }
  }
  return { taken, take }
}

describe('the rules of the server benchmark', () => {
  it('calls three windows within 3 % stable, and fewer not', () => {
    expect(isStable([200, 100, 102, 103])).toBe(true)
    expect(isStable([100, 102, 104])).toBe(false)
    expect(isStable([100, 100])).toBe(false)
    expect(isStable([100, 100, 103, 90])).toBe(false)
    expect(isStable([100, NaN, 100])).toBe(false)
  })

  it('makes a row void whose server had less than 95 % of its core', () => {
    expect(voidOf(CALLS, { perSecond: 9, busy: 0.949 })).toBe('VOID: 94 % busy')
    expect(voidOf(CALLS, { perSecond: 9, busy: 0.49 })).toBe('VOID: 49 % busy')
    expect(voidOf(CALLS, { perSecond: 9, busy: 0.95 })).toBeUndefined()
  })

  it('makes a row of streams void if tokens were lost', () => {
    expect(voidOf(STREAMS, { perSecond: 4000, busy: 0.2 })).toBe('VOID: 80 % of tokens')
    expect(voidOf(STREAMS, { perSecond: 4900, busy: 0.2 })).toBeUndefined()
  })

  it('reports the difference between two identical servers, and whether it is too large', () => {
    expect(differenceOf({ micros: 100 }, { micros: 105 })).toBeCloseTo(0.05)
    expect(describeAA(0.05)).toBe('A/A: the second yardstick takes +5.0 %, within 7 %')
    expect(describeAA(-0.069)).toContain('within 7 %')
    expect(describeAA(0.071)).toMatch(/^A\/A FAILED.*\+7\.1 %.*mean nothing/)
    expect(describeAA(-0.08)).toMatch(/^A\/A FAILED/)
    expect(describeAA(NaN)).toMatch(/^A\/A FAILED/)
  })

  it('warms all servers up for the same time, until the last of them is stable', async () => {
    const { taken, take } = scripted({ quick: [100], slow: [300, 250, 200, 150, 120, 119, 118] })
    expect(await warmUp(['quick', 'slow'], { least: 3, most: 20 }, take)).toEqual({ windows: 7, unstable: [] })
    expect(taken.filter((each) => each === 'quick')).toHaveLength(7)
    expect(taken.slice(0, 4)).toEqual(['quick', 'slow', 'quick', 'slow'])
  })

  it('names a server that does not become stable', async () => {
    const { take } = scripted({ quick: [100], wild: [100, 120, 100, 120, 100, 120] })
    expect(await warmUp(['quick', 'wild'], { least: 3, most: 6 }, take)).toEqual({ windows: 6, unstable: ['wild'] })
  })

  it('compares the quickest quarter of the rounds with that of both yardsticks, whatever slows the others down', async () => {
    const { taken, take } = scripted({
      first: [200, 90, 300, 88, 250],
      second: [110, 400, 108, 300, 200],
      ours: [150, 149, 1000, 160, 900],
    })
    const found = await takeRounds(['first', 'second', 'ours'], 5, (subject) => subject !== 'ours', take)
    expect(found.map(({ subject, ratio }) => [subject, ratio])).toEqual([
      ['first', 0.9],
      ['second', 1.1],
      ['ours', 1.5],
    ])
    expect(found[2]?.middle.micros).toBe(150)
    expect(taken.slice(0, 6)).toEqual(['first', 'ours', 'second', 'ours', 'second', 'first'])
  })

  it('leaves out a server that fails, and continues with the others', async () => {
    const { take } = scripted({ first: [100], broken: [100, undefined], ours: [150] })
    const found = await takeRounds(['first', 'broken', 'ours'], 3, (subject) => subject === 'first', take)
    expect(found.map(({ subject, ratio }) => [subject, ratio])).toEqual([
      ['first', 1],
      ['ours', 1.5],
    ])
    const warmed = await warmUp(
      ['first', 'broken'],
      { least: 3, most: 5 },
      scripted({ first: [1], broken: [undefined] }).take,
    )
    expect(warmed).toEqual({ windows: 3, unstable: [] })
  })
})

describe('several launches of the same servers', () => {
  const launch = (yard: number, ours: number) =>
    Object.entries({ yard, ours }).map(([name, micros]) => ({
      subject: { name },
      readings: [{ ...READING, micros }],
      middle: { ...READING, micros },
      ratio: NaN,
    }))
  const join = (...launches: ReturnType<typeof launch>[]) => joinLaunches(launches, ({ name }) => name === 'yard')

  it('count as one server: its CPU time is the mean of its processes', () => {
    const [yard, ours] = join(launch(90, 150), launch(110, 170))
    expect(yard).toMatchObject({ ratio: 1, middle: { micros: 100 } })
    expect(ours).toMatchObject({ ratio: 1.6, middle: { micros: 160 } })
    expect(ours?.readings).toHaveLength(2)
  })

  it('continue without a server that failed in one of them', () => {
    expect(join(launch(100, 150), launch(100, 900).slice(0, 1))[1]?.ratio).toBe(1.5)
  })

  it('are repeated while the yardsticks differ by more than 7 %, up to a limit', () => {
    const yardsticks =
      (...micros: number[]) =>
      () =>
        micros.map((each) => ({
          subject: { kind: 'yardstick' },
          readings: [],
          middle: { ...READING, micros: each },
          ratio: 1,
        }))
    const limits = { least: 2, most: 4 }
    expect(needsLaunch(limits, 1, yardsticks(100, 101))).toBe(true)
    expect(needsLaunch(limits, 2, yardsticks(100, 106))).toBe(false)
    expect(needsLaunch(limits, 2, yardsticks(100, 108))).toBe(true)
    expect(needsLaunch(limits, 4, yardsticks(100, 108))).toBe(false)
    expect(needsLaunch(limits, 3, yardsticks(100))).toBe(false)
  })
})
