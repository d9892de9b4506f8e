import { describe, expect, it } from 'vitest'
import { createSlots } from '../src/ports/slots.ts'

function namesIn(slots: ReturnType<typeof createSlots<{ name: string }>>): string[] {
  const names: string[] = []
  slots.each(({ name }) => names.push(name))
  return names.toSorted()
}

describe('slots', () => {
  it('hold items until they are freed', () => {
    const slots = createSlots<{ name: string }>()
    const [a, b, c] = ['a', 'b', 'c'].map((name) => slots.take({ name })) as [number, number, number]
    slots.free(b)
    expect(namesIn(slots)).toEqual(['a', 'c'])
    expect(slots.count()).toBe(2)
    slots.take({ name: 'd' })
    expect(namesIn(slots)).toEqual(['a', 'c', 'd'])
    for (const slot of [a, b, c]) slots.free(slot)
    expect(slots.count()).toBe(0)
  })

  it('are reused, so that only the largest number of items counts', () => {
    const slots = createSlots<object>()
    const used = new Set<number>()
    for (let i = 0; i < 1000; i++) {
      const pair = [slots.take({}), slots.take({})]
      for (const slot of pair) {
        used.add(slot)
        slots.free(slot)
      }
    }
    expect(used.size).toBe(2)
  })

  it('ignore one that is freed twice', () => {
    const slots = createSlots<{ name: string }>()
    const slot = slots.take({ name: 'a' })
    slots.free(slot)
    slots.free(slot)
    expect(slots.take({ name: 'b' })).not.toBe(slots.take({ name: 'c' }))
    expect(slots.count()).toBe(2)
  })

  it('may be freed while they are visited', () => {
    const slots = createSlots<{ name: string; slot: number }>()
    for (const name of ['a', 'b', 'c']) {
      const item = { name, slot: 0 }
      item.slot = slots.take(item)
    }
    slots.each(({ slot }) => slots.free(slot))
    expect(slots.count()).toBe(0)
  })
})
