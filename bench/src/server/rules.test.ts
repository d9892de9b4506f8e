import { describe, expect, it } from 'vitest'
import { isStable } from '../stable.ts'
import { voidOf } from './rules.ts'
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

const isYardstick = (subject: string): boolean => subject === 'first' || subject === 'second'

/** Time for this many windows. */
const after = (windows: number, taken: readonly string[]) => () => taken.length >= windows

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

  it('warms all servers up for the same time, and names those that are not stable then', async () => {
    const { taken, take } = scripted({ quick: [100], slow: [300, 250, 120, 119, 118], wild: [100, 120, 100, 120, 100] })
    expect(await warmUp(['quick', 'slow', 'wild'], 5, take)).toEqual(['wild'])
    expect(taken.filter((each) => each === 'quick')).toHaveLength(5)
    expect(taken.slice(0, 6)).toEqual(['quick', 'slow', 'wild', 'quick', 'slow', 'wild'])
  })

  it('compares the quickest quarter of the rounds with that of both yardsticks, each round in another order', async () => {
    const { taken, take } = scripted({
      first: [200, 90, 300, 88, 250],
      second: [110, 400, 108, 300, 200],
      ours: [150, 149, 1000, 160, 900],
    })
    const found = await takeRounds(['first', 'second', 'ours'], { isYardstick, isOver: after(15, taken) }, take)
    expect(found.map(({ subject, ratio }) => [subject, ratio.value])).toEqual([
      ['first', 0.9],
      ['second', 1.1],
      ['ours', 1.5],
    ])
    expect(found[2]?.middle.micros).toBe(150)
    expect(taken.slice(0, 6)).toEqual(['first', 'ours', 'second', 'ours', 'second', 'first'])
  })

  it('takes rounds until the yardsticks agree', async () => {
    const { taken, take } = scripted({ first: [100], second: [101], ours: [150] })
    await takeRounds(['first', 'second', 'ours'], { isYardstick, isOver: after(1000, taken) }, take)
    expect(taken).toHaveLength(3 * 8)
  })

  it('answers when its time is over, if they never do, with what it has and how certain that is', async () => {
    const { taken, take } = scripted({ first: [100], second: [130], ours: [150] })
    const found = await takeRounds(['first', 'second', 'ours'], { isYardstick, isOver: after(100, taken) }, take)
    expect(taken).toHaveLength(100)
    expect(found[2]?.ratio).toEqual({ value: 150 / 115, uncertainty: expect.closeTo(0.26) })
  })

  it('completes the first round whatever time it takes', async () => {
    const { take } = scripted({ first: [100], second: [101], ours: [150] })
    const found = await takeRounds(['first', 'second', 'ours'], { isYardstick, isOver: () => true }, take)
    expect(found.map(({ readings }) => readings.length)).toEqual([1, 1, 1])
    expect(found[2]?.ratio.uncertainty).toBeNaN()
  })

  it('leaves out a server that fails, and continues with the others', async () => {
    const { taken, take } = scripted({ first: [100], second: [100], broken: [100, undefined], ours: [150] })
    const subjects = ['first', 'second', 'broken', 'ours']
    const found = await takeRounds(subjects, { isYardstick, isOver: after(50, taken) }, take)
    expect(found.map(({ subject, ratio }) => [subject, ratio.value])).toEqual([
      ['first', 1],
      ['second', 1],
      ['ours', 1.5],
    ])
    const { take: failing } = scripted({ first: [1], broken: [undefined] })
    expect(await warmUp(['first', 'broken'], 3, failing)).toEqual([])
    expect(await takeRounds(['broken'], { isYardstick, isOver: () => false }, failing)).toEqual([])
  })
})
