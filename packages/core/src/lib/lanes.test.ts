import { describe, expect, it } from 'vitest'
import { createLanes, type Lane } from './lanes.ts'

function laneOf(name: string, log: string[], complete: (text: string) => boolean = () => true): Lane {
  let all = ''
  return {
    open: () => log.push(`${name} opens`),
    grow: (text) => log.push(`${name} ${text}`),
    close: () => log.push(`${name} closes`),
    watch: { add: (text) => void (all += text), complete: () => complete(all) },
  }
}

const endsInBrace = (text: string) => text.endsWith('}')

describe('createLanes', () => {
  it('opens the first block at once and closes it when another begins', () => {
    const log: string[] = []
    const lanes = createLanes()
    const [a, b] = [laneOf('a', log), laneOf('b', log)]
    lanes.start(a)
    lanes.grow(a, '1')
    lanes.start(b)
    lanes.grow(b, '2')
    lanes.finish()
    expect(log).toEqual(['a opens', 'a 1', 'a closes', 'b opens', 'b 2', 'b closes'])
  })

  it('puts interleaved blocks one after another without loss', () => {
    const log: string[] = []
    const lanes = createLanes()
    const [a, b] = [laneOf('a', log, endsInBrace), laneOf('b', log, endsInBrace)]
    lanes.start(a)
    lanes.grow(a, '{1')
    lanes.start(b)
    lanes.grow(b, '{2')
    lanes.grow(a, '1}')
    lanes.grow(b, '2}')
    lanes.finish()
    expect(log).toEqual(['a opens', 'a {1', 'a 1}', 'a closes', 'b opens', 'b {2', 'b 2}', 'b closes'])
  })

  it('opens pending blocks in their order, also if many are complete at once', () => {
    const log: string[] = []
    const lanes = createLanes()
    const all = ['a', 'b', 'c'].map((name) => laneOf(name, log, endsInBrace))
    for (const lane of all) lanes.start(lane)
    const [a, b, c] = all
    lanes.grow(c!, '{c}')
    lanes.grow(b!, '{b}')
    lanes.grow(a!, '{a}')
    expect(log).toEqual(['a opens', 'a {a}', 'a closes', 'b opens', 'b {b}', 'b closes', 'c opens', 'c {c}'])
    expect(lanes.active).toBe(c)
  })

  it('reports text for a block that is closed', () => {
    const log: string[] = []
    const lanes = createLanes()
    const [a, b] = [laneOf('a', log), laneOf('b', log)]
    lanes.start(a)
    lanes.start(b)
    expect(lanes.grow(a, 'late')).toBe(false)
    expect(lanes.grow(b, 'in time')).toBe(true)
    expect(log).not.toContain('a late')
  })

  it('closes everything at the end, complete or not', () => {
    const log: string[] = []
    const lanes = createLanes()
    const [a, b] = [laneOf('a', log, () => false), laneOf('b', log, () => false)]
    lanes.start(a)
    lanes.start(b)
    lanes.grow(b, 'waits')
    lanes.finish()
    expect(log).toEqual(['a opens', 'a closes', 'b opens', 'b waits', 'b closes'])
    expect(lanes.active).toBeUndefined()
  })
})
