import type { Receiver } from '@dragoman/core/provider'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deliver, deliverLater, type Delivery } from './deliver.ts'

const chunks = Array.from({ length: 40 }, (_, index) => new Uint8Array([index]))
const base: Delivery = { status: 200, headers: { 'content-type': 'a' }, chunks, waitMs: 0, delayMs: 0, cut: false }

function receive(delivery: Delivery | Promise<Delivery>, onChunk: (count: number) => void = () => {}) {
  const seen: string[] = []
  let count = 0
  const receiver: Receiver = {
    onHead(status, header) {
      seen.push(`head ${status} ${header('content-type')}`)
      return 'chunks'
    },
    onChunk() {
      count++
      onChunk(count)
    },
    onEnd: () => seen.push(`end ${count}`),
    onFail: ({ kind }) => seen.push(`${kind} ${count}`),
  }
  const flow = delivery instanceof Promise ? deliverLater(delivery, receiver) : deliver(delivery, receiver)
  return { flow, seen, count: () => count }
}

describe('a delivery', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('begins later and ends once', async () => {
    const { seen } = receive(base)
    expect(seen).toEqual([])
    await vi.runAllTimersAsync()
    expect(seen).toEqual(['head 200 a', 'end 40'])
  })

  it('keeps the given pace', async () => {
    const { seen, count } = receive({ ...base, waitMs: 100, delayMs: 100 })
    await vi.advanceTimersByTimeAsync(1100)
    expect(seen).toEqual(['head 200 a'])
    expect(count()).toBe(10)
    await vi.runAllTimersAsync()
    expect(seen.at(-1)).toBe('end 40')
  })

  it('delivers nothing while paused, also if a chunk paused it', async () => {
    const { flow, seen, count } = receive(base, (number) => {
      if (number === 5) flow.pause()
    })
    await vi.runAllTimersAsync()
    expect(count()).toBe(5)
    flow.resume()
    flow.resume()
    await vi.runAllTimersAsync()
    expect(seen).toEqual(['head 200 a', 'end 40'])
  })

  it('stops for good when cancelled', async () => {
    const { flow, seen } = receive(base, (number) => {
      if (number === 5) flow.cancel()
    })
    await vi.runAllTimersAsync()
    flow.resume()
    flow.cancel()
    await vi.runAllTimersAsync()
    expect(seen).toEqual(['head 200 a', 'cancelled 5'])
  })

  it('breaks in the middle if it is cut', async () => {
    const { seen } = receive({ ...base, cut: true })
    await vi.runAllTimersAsync()
    expect(seen).toEqual(['head 200 a', 'reset 20'])
  })
})

describe('a delivery that is not ready', () => {
  const pending = () => Promise.withResolvers<Delivery>()

  it('begins when it is ready, unless it is paused', async () => {
    const { promise, resolve } = pending()
    const { flow, seen } = receive(promise)
    flow.pause()
    resolve({ ...base, chunks: [] })
    await promise
    expect(seen).toEqual([])
    flow.resume()
    await vi.waitFor(() => expect(seen).toEqual(['head 200 a', 'end 0']), { timeout: 60_000 })
  })

  it('does not begin after it was cancelled, and reports that once', async () => {
    const { promise, resolve } = pending()
    const { flow, seen } = receive(promise)
    flow.cancel()
    flow.cancel()
    resolve(base)
    await promise
    expect(seen).toEqual(['cancelled 0'])
  })

  it('fails if it cannot be created', async () => {
    const { promise, reject } = pending()
    const { seen } = receive(promise)
    reject(new Error('no memory'))
    await vi.waitFor(() => expect(seen).toEqual(['reset 0']), { timeout: 60_000 })
  })
})
