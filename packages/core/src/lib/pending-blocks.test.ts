import { describe, expect, it } from 'vitest'
import { createPendingBlocks, type PendingBlock } from './pending-blocks.ts'

function pendingBlockOf(name: string, log: string[], complete: (text: string) => boolean = () => true): PendingBlock {
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
    const pendingBlocks = createPendingBlocks()
    const [a, b] = [pendingBlockOf('a', log), pendingBlockOf('b', log)]
    pendingBlocks.start(a)
    pendingBlocks.grow(a, '1')
    pendingBlocks.start(b)
    pendingBlocks.grow(b, '2')
    pendingBlocks.finish()
    expect(log).toEqual(['a opens', 'a 1', 'a closes', 'b opens', 'b 2', 'b closes'])
  })

  it('puts interleaved blocks one after another without loss', () => {
    const log: string[] = []
    const pendingBlocks = createPendingBlocks()
    const [a, b] = [pendingBlockOf('a', log, endsInBrace), pendingBlockOf('b', log, endsInBrace)]
    pendingBlocks.start(a)
    pendingBlocks.grow(a, '{1')
    pendingBlocks.start(b)
    pendingBlocks.grow(b, '{2')
    pendingBlocks.grow(a, '1}')
    pendingBlocks.grow(b, '2}')
    pendingBlocks.finish()
    expect(log).toEqual(['a opens', 'a {1', 'a 1}', 'a closes', 'b opens', 'b {2', 'b 2}', 'b closes'])
  })

  it('opens pending blocks in their order, also if many are complete at once', () => {
    const log: string[] = []
    const pendingBlocks = createPendingBlocks()
    const all = ['a', 'b', 'c'].map((name) => pendingBlockOf(name, log, endsInBrace))
    for (const pendingBlock of all) pendingBlocks.start(pendingBlock)
    const [a, b, c] = all
    pendingBlocks.grow(c!, '{c}')
    pendingBlocks.grow(b!, '{b}')
    pendingBlocks.grow(a!, '{a}')
    expect(log).toEqual(['a opens', 'a {a}', 'a closes', 'b opens', 'b {b}', 'b closes', 'c opens', 'c {c}'])
    expect(pendingBlocks.active).toBe(c)
  })

  it('reports text for a block that is closed', () => {
    const log: string[] = []
    const pendingBlocks = createPendingBlocks()
    const [a, b] = [pendingBlockOf('a', log), pendingBlockOf('b', log)]
    pendingBlocks.start(a)
    pendingBlocks.start(b)
    expect(pendingBlocks.grow(a, 'late')).toBe(false)
    expect(pendingBlocks.grow(b, 'in time')).toBe(true)
    expect(log).not.toContain('a late')
  })

  it('closes everything at the end, complete or not', () => {
    const log: string[] = []
    const pendingBlocks = createPendingBlocks()
    const [a, b] = [pendingBlockOf('a', log, () => false), pendingBlockOf('b', log, () => false)]
    pendingBlocks.start(a)
    pendingBlocks.start(b)
    pendingBlocks.grow(b, 'waits')
    pendingBlocks.finish()
    expect(log).toEqual(['a opens', 'a closes', 'b opens', 'b waits', 'b closes'])
    expect(pendingBlocks.active).toBeUndefined()
  })
})
