import { describe, expect, it } from 'vitest'
import { createBodyMemory } from '../src/ports/body-memory.ts'

const MEGABYTE = 1024 * 1024

/** A lease that counts how often it was granted memory after it had to wait. */
function leaseOf(memory: ReturnType<typeof createBodyMemory>) {
  const lease = memory.lease()
  const seen = { granted: 0 }
  lease.onRoom = () => seen.granted++
  return Object.assign(lease, { seen })
}

describe('the memory of all bodies', () => {
  it('is given to large bodies in their order', () => {
    const memory = createBodyMemory(16 * MEGABYTE)
    const [first, second, third] = [leaseOf(memory), leaseOf(memory), leaseOf(memory)]
    expect(first.reserve(10 * MEGABYTE)).toBe(true)
    expect(second.reserve(8 * MEGABYTE)).toBe(false)
    // There would be room, but then the second one would wait forever.
    expect(third.reserve(3 * MEGABYTE)).toBe(false)
    first.release()
    expect([second.seen.granted, third.seen.granted]).toEqual([1, 1])
  })

  it('has room for small bodies while large ones wait', () => {
    const memory = createBodyMemory(16 * MEGABYTE)
    expect(leaseOf(memory).reserve(14 * MEGABYTE)).toBe(true)
    expect(leaseOf(memory).reserve(MEGABYTE)).toBe(false)
    for (let count = 0; count < 8; count++) expect(leaseOf(memory).reserve(256 * 1024)).toBe(true)
    expect(leaseOf(memory).reserve(1)).toBe(false)
  })

  it('is given to a body that is larger than all of it, when there is no other', () => {
    const memory = createBodyMemory(MEGABYTE)
    const [large, small] = [leaseOf(memory), leaseOf(memory)]
    expect(large.reserve(5 * MEGABYTE)).toBe(true)
    expect(small.reserve(10)).toBe(false)
    large.release()
    expect(small.seen.granted).toBe(1)
  })

  it('lets a body grow that has already reserved a part', () => {
    const memory = createBodyMemory(MEGABYTE)
    const lease = leaseOf(memory)
    expect(lease.reserve(MEGABYTE / 2)).toBe(true)
    expect(lease.reserve(MEGABYTE)).toBe(true)
  })

  it('is used by responses at once, and then requests wait for it', () => {
    const memory = createBodyMemory(MEGABYTE)
    const [answered, next] = [leaseOf(memory), leaseOf(memory)]
    answered.add(3 * MEGABYTE)
    expect(next.reserve(10)).toBe(false)
    answered.release()
    expect(next.seen.granted).toBe(1)
  })

  it('skips cancelled requests, and is free again after all of them', () => {
    const memory = createBodyMemory(8 * MEGABYTE)
    const [first, gone, next] = [leaseOf(memory), leaseOf(memory), leaseOf(memory)]
    first.reserve(7 * MEGABYTE)
    gone.reserve(7 * MEGABYTE)
    next.reserve(7 * MEGABYTE)
    gone.release()
    first.release()
    first.release()
    expect([gone.seen.granted, next.seen.granted]).toEqual([0, 1])
    next.release()
    expect(leaseOf(memory).reserve(7 * MEGABYTE)).toBe(true)
  })
})
