import { describe, expect, it } from 'vitest'
import { exactly, withoutNeutral } from './members.ts'

const neutral = { store: exactly(false), n: exactly(1) }

describe('members without effect', () => {
  it('are left out, and all others stay', () => {
    expect(withoutNeutral({ store: false, n: 1, model: 'm' }, neutral)).toEqual({ model: 'm' })
    expect(withoutNeutral({ store: true, n: 2 }, neutral)).toEqual({ store: true, n: 2 })
  })

  it('cost no copy if there are none', () => {
    const body = { model: 'm', store: true }
    expect(withoutNeutral(body, neutral)).toBe(body)
  })

  it('keep a member called __proto__', () => {
    const body = JSON.parse('{"__proto__": {"n": 1}, "n": 1}') as { n: number }
    expect(JSON.stringify(withoutNeutral(body, neutral))).toBe('{"__proto__":{"n":1}}')
  })
})
