import { describe, expect, it } from 'vitest'
import { createLosses, describeLoss, NO_LOSSES, type Losses } from './loss.ts'

const reported = (losses: Losses): string[] => losses.entries().map(({ kind, path }) => `${kind} ${path.join('.')}`)

describe('createLosses', () => {
  it('builds paths from the scope of the node', () => {
    const losses = createLosses()
    const message = losses.at('messages', 2)
    message.at('output').at('parts', 1).dropped(['cache'], 'none here')
    message.changed(['role'], 'user', 'no other')
    losses.added(['id'], 'x', 'needs one')
    expect(losses.entries()).toEqual([
      { kind: 'dropped', path: ['messages', 2, 'output', 'parts', 1, 'cache'], reason: 'none here' },
      { kind: 'changed', path: ['messages', 2, 'role'], to: 'user', reason: 'no other' },
      { kind: 'added', path: ['id'], to: 'x', reason: 'needs one' },
    ])
  })

  it('builds both paths of a move and a merge from the scope', () => {
    const losses = createLosses().at('messages', 0)
    losses.moved(['parts', 0], ['parts'], 'later')
    losses.merged(['parts', 2], ['parts', 1], 'one')
    expect(losses.entries()).toEqual([
      { kind: 'moved', path: ['messages', 0, 'parts', 0], into: ['messages', 0, 'parts'], reason: 'later' },
      { kind: 'merged', path: ['messages', 0, 'parts', 2], into: ['messages', 0, 'parts', 1], reason: 'one' },
    ])
  })

  it('does not report losses inside a dropped value', () => {
    const losses = createLosses()
    losses.dropped(['a'], 'whole')
    losses.dropped(['a', 'b'], 'inner')
    losses.added(['a', 'c', 0], 1, 'inner')
    losses.changed(['a'], 2, 'itself')
    expect(reported(losses)).toEqual(['dropped a'])
  })

  it('removes losses inside a value that is dropped later', () => {
    const losses = createLosses()
    losses.dropped(['a', 'b'], 'inner')
    losses.moved(['a', 'c', 0], ['d'], 'inner')
    losses.changed(['a'], 2, 'itself')
    losses.dropped(['other'], 'stays')
    losses.dropped(['a'], 'whole')
    expect(reported(losses)).toEqual(['dropped other', 'dropped a'])
  })

  it('does the same for a replaced value, in any order', () => {
    const before = createLosses()
    before.changed(['a'], 'new', 'replaced')
    before.dropped(['a', 'b'], 'inner')
    const after = createLosses()
    after.dropped(['a', 'b'], 'inner')
    after.changed(['a'], 'new', 'replaced')
    expect([reported(before), reported(after)]).toEqual([['changed a'], ['changed a']])
  })

  it('reports a dropped replaced value only as dropped', () => {
    const losses = createLosses()
    losses.changed(['a'], 'new', 'replaced')
    losses.dropped(['a'], 'whole')
    expect(reported(losses)).toEqual(['dropped a'])
  })

  it('keeps siblings apart, also with a common prefix', () => {
    const losses = createLosses()
    losses.dropped(['parts', 1], 'one')
    losses.dropped(['parts', 10, 'cache'], 'another')
    losses.dropped(['parts10'], 'a third')
    expect(reported(losses)).toEqual(['dropped parts.1', 'dropped parts.10.cache', 'dropped parts10'])
  })

  it('stays fast with very many losses', () => {
    const losses = createLosses()
    for (let i = 0; i < 50_000; i++) losses.at('messages', i).dropped(['name'], 'none here')
    expect(losses.entries()).toHaveLength(50_000)
    losses.dropped(['messages'], 'all of them')
    expect(reported(losses)).toEqual(['dropped messages'])
  })
})

describe('describeLoss', () => {
  it('describes what happened, where and why in one line', () => {
    const loss = { kind: 'dropped', path: ['messages', 0, 'parts', 1], reason: 'chat has no place' } as const
    expect(describeLoss(loss)).toBe('dropped messages.0.parts.1: chat has no place')
  })
})

describe('NO_LOSSES', () => {
  it('collects nothing', () => {
    NO_LOSSES.at('parts', 0).dropped(['a'], 'gone')
    expect(NO_LOSSES.entries()).toEqual([])
  })
})
