import { describe, expect, it } from 'vitest'
import { createLosses } from '../ir/loss.ts'
import type { Settings } from '../ir/request.ts'
import type { Encoding } from './context.ts'
import { rowsOf } from './rows.ts'

interface Wire {
  readonly [unknown: string]: unknown
  readonly warmth?: number | null
  readonly limit?: number
  readonly old_limit?: number
  readonly seed?: number
}

const rows = rowsOf<Settings, Wire>('acme', {
  has: {
    temperature: 'warmth',
    maxTokens: {
      at: ['limit', 'old_limit'],
      write(asked, { losses }) {
        if (asked > 10) losses.changed(['maxTokens'], 10, 'acme ends at 10')
        return { limit: Math.min(asked, 10) }
      },
    },
    seed: { at: 'seed', unless: ({ toward }) => (toward === 'client' ? 'acme tells no seeds' : undefined) },
  },
  lacks: { candidates: 'acme answers once' },
})

function encode(settings: Settings, toward: Encoding['toward'] = 'upstream') {
  const losses = createLosses()
  const context: Encoding = { issuer: 'acme', toward, id: () => 'made', now: 0 }
  return { wire: rows.encode(settings, { losses, context }), losses: losses.entries() }
}

describe('rows', () => {
  it('read each member under the name of its row, and neither null nor what is absent', () => {
    expect(rows.decode({ warmth: 1, limit: 3, seed: 4 })).toEqual({ temperature: 1, maxTokens: 3, seed: 4 })
    expect(rows.decode({ warmth: null, other: 1 })).toEqual({})
  })

  it('read the first of several names that is there', () => {
    expect(rows.decode({ limit: 3, old_limit: 5 })).toEqual({ maxTokens: 3 })
    expect(rows.decode({ old_limit: 5 })).toEqual({ maxTokens: 5 })
  })

  it('write what they read, under the first name', () => {
    expect(encode({ temperature: 0, maxTokens: 5, seed: 4 })).toEqual({
      wire: { warmth: 0, limit: 5, seed: 4 },
      losses: [],
    })
  })

  it('report what a value becomes', () => {
    expect(encode({ maxTokens: 11 })).toEqual({
      wire: { limit: 10 },
      losses: [{ kind: 'changed', path: ['maxTokens'], to: 10, reason: 'acme ends at 10' }],
    })
  })

  it('report a member without a row, and one that this target does not get', () => {
    expect(encode({ seed: 4, topK: 2, candidates: 3 }, 'client')).toEqual({
      wire: {},
      losses: [
        { kind: 'dropped', path: ['seed'], reason: 'acme tells no seeds' },
        { kind: 'dropped', path: ['topK'], reason: 'acme has no topK' },
        { kind: 'dropped', path: ['candidates'], reason: 'acme answers once' },
      ],
    })
  })

  it('say where a body has each member', () => {
    expect(rows.sites('settings', 'options')).toEqual({
      'settings.temperature': ['options.warmth'],
      'settings.maxTokens': ['options.limit', 'options.old_limit'],
      'settings.seed': ['options.seed'],
    })
  })

  it('do not compile with a name that the wire does not have', () => {
    // @ts-expect-error the schema of the wire has no such member
    rowsOf<Settings, Wire>('acme', { has: { temperature: 'heat' } })
    // @ts-expect-error the value of the row is not the one that the IR has
    rowsOf<Settings, Wire>('acme', { has: { stop: { at: 'seed', read: ({ seed }) => seed } } })
    expect(rows.decode({})).toEqual({})
  })
})
