import { describe, expect, it } from 'vitest'
import { cellsOf, PROTOCOLS } from './scenarios.ts'

describe.each(PROTOCOLS)('the runs of a client of %s', (protocol) => {
  it.each(['agent', 'editor', 'library'] as const)('cover every upstream and every scenario for an %s', (kind) => {
    const cells = cellsOf({ protocol, kind })
    expect(new Set(cells.map(({ upstream }) => upstream))).toEqual(new Set(PROTOCOLS))
    expect(new Set(cells.map(({ scenario }) => scenario))).toEqual(
      new Set(['question', 'tools', 'session', 'limit', 'abort']),
    )
    expect(new Set(cells.map((cell) => JSON.stringify(cell))).size).toBe(cells.length)
  })
})

it('are all with one upstream if the client can use only that one', () => {
  const cells = cellsOf({ protocol: 'messages', kind: 'agent', upstreams: ['messages'] })
  expect(cells.map(({ scenario, upstream }) => `${scenario} to ${upstream}`)).toEqual(
    ['question', 'tools', 'session', 'limit', 'abort'].map((scenario) => `${scenario} to messages`),
  )
})
