import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../src/ports/manual-clock.ts'
import { createConversations } from '../../src/health/conversations.ts'

describe('conversations', () => {
  it('are remembered with their latest route', () => {
    const conversations = createConversations(createManualClock())
    expect(conversations.recall('ann', 'c1')).toBeUndefined()
    conversations.remember('ann', 'c1', 'route 1')
    conversations.remember('ann', 'c2', 'route 2')
    expect(conversations.recall('ann', 'c1')).toBe('route 1')
    conversations.remember('ann', 'c1', 'route 3')
    expect(conversations.recall('ann', 'c1')).toBe('route 3')
    expect(conversations.recall('ann', 'c2')).toBe('route 2')
  })

  it('belong to their caller, whatever the names are', () => {
    const conversations = createConversations(createManualClock())
    const names = [undefined, '', '-', 'a', 'a1', '1', '1:', '1:a', 'undefined']
    for (const caller of names)
      for (const name of names) conversations.remember(caller, `${name}`, JSON.stringify([caller, `${name}`]))
    for (const caller of names)
      for (const name of names)
        expect(conversations.recall(caller, `${name}`)).toBe(JSON.stringify([caller, `${name}`]))
  })

  it('are forgotten after an hour without a call', () => {
    const clock = createManualClock()
    const conversations = createConversations(clock)
    conversations.remember('ann', 'c1', 'route 1')
    for (let i = 0; i < 3; i++) {
      clock.advance(3_599_999)
      expect(conversations.recall('ann', 'c1')).toBe('route 1')
    }
    clock.advance(3_600_000)
    expect(conversations.recall('ann', 'c1')).toBeUndefined()
    conversations.remember('ann', 'c1', 'route 2')
    expect(conversations.recall('ann', 'c1')).toBe('route 2')
  })

  it('are limited in number; those used last stay', () => {
    const conversations = createConversations(createManualClock())
    conversations.remember('ann', 'used', 'route 1')
    for (let i = 0; i < 20_000; i++) {
      conversations.remember('ann', `c${i}`, 'route 2')
      if (i % 4000 === 0) conversations.recall('ann', 'used')
    }
    expect(conversations.recall('ann', 'used')).toBe('route 1')
    const isKnown = (i: number): boolean => conversations.recall('ann', `c${i}`) !== undefined
    const numbers = Array.from({ length: 20_000 }, (_, i) => i)
    expect(numbers.slice(0, 10_000).filter(isKnown)).toEqual([])
    expect(numbers.slice(15_001).filter((i) => !isKnown(i))).toEqual([])
  })

  it('with an enormous identity are not remembered', () => {
    const conversations = createConversations(createManualClock())
    conversations.remember('ann', 'x'.repeat(512), 'route 1')
    conversations.remember('ann', 'x'.repeat(513), 'route 1')
    expect(conversations.recall('ann', 'x'.repeat(512))).toBe('route 1')
    expect(conversations.recall('ann', 'x'.repeat(513))).toBeUndefined()
  })
})
