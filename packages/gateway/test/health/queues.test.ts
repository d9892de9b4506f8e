import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../src/ports/manual-clock.ts'
import { createQueues, type QueueLimits, type Ticket } from '../../src/health/queues.ts'

/** Queues whose calls have names, with a journal of what happened. */
function setUp(limits: QueueLimits, provider = 'acme') {
  const clock = createManualClock()
  let timers = 0
  const counting = {
    after(ms: number, run: () => void) {
      let isSet = true
      timers++
      const end = () => {
        if (isSet) timers--
        isSet = false
      }
      const cancel = clock.after(ms, () => {
        end()
        run()
      })
      return () => {
        end()
        cancel()
      }
    },
  }
  const queues = createQueues(counting, new Map([['acme', limits]]))
  const journal: string[] = []
  return {
    clock,
    journal,
    timers: () => timers,
    enter: (name: string): Ticket =>
      queues.enter(
        provider,
        () => journal.push(`${name} goes`),
        (why) => journal.push(`${name} is refused: ${why}`),
      ),
  }
}

describe('queues', () => {
  it('run as many calls as they may, and the others in order', () => {
    const { enter, journal } = setUp({ concurrency: 2, queue: 3, waitMs: 1000 })
    const [a, b, c] = ['a', 'b', 'c', 'd', 'e'].map(enter) as [Ticket, Ticket, Ticket]
    expect(journal.splice(0)).toEqual(['a goes', 'b goes'])
    b.leave()
    expect(journal.splice(0)).toEqual(['c goes'])
    b.leave()
    b.cancel()
    expect(journal).toEqual([])
    c.leave()
    a.leave()
    expect(journal).toEqual(['d goes', 'e goes'])
  })

  it('refuse a call when too many wait', () => {
    const { enter, journal } = setUp({ concurrency: 1, queue: 1, waitMs: 1000 })
    const [a, , c] = ['a', 'b', 'c'].map(enter) as [Ticket, Ticket, Ticket]
    expect(journal.splice(0)).toEqual(['a goes', 'c is refused: full'])
    c.leave()
    expect(journal).toEqual([])
    a.leave()
    expect(journal).toEqual(['b goes'])
  })

  it('refuse a call that has waited too long', () => {
    const { clock, enter, journal, timers } = setUp({ concurrency: 1, queue: 2, waitMs: 1000 })
    const a = enter('a')
    const b = enter('b')
    clock.advance(999)
    enter('c')
    clock.advance(1)
    expect(journal.splice(0)).toEqual(['a goes', 'b is refused: late'])
    a.leave()
    b.leave()
    expect(journal).toEqual(['c goes'])
    expect(timers()).toBe(0)
  })

  it('forget a call that is cancelled, or over, while it waits', () => {
    const { clock, enter, journal, timers } = setUp({ concurrency: 1, queue: 3, waitMs: 1000 })
    const [a, b, c] = ['a', 'b', 'c', 'd'].map(enter) as [Ticket, Ticket, Ticket]
    b.cancel()
    c.leave()
    expect(timers()).toBe(1)
    a.leave()
    clock.advance(5000)
    expect(journal).toEqual(['a goes', 'd goes'])
  })

  it('do not free the slot of a call that runs when it is cancelled', () => {
    const { enter, journal } = setUp({ concurrency: 1, queue: 1, waitMs: 1000 })
    const a = enter('a')
    enter('b')
    a.cancel()
    expect(journal).toEqual(['a goes'])
    a.leave()
    expect(journal).toEqual(['a goes', 'b goes'])
  })

  it('run every call of a provider without limits', () => {
    const { enter, journal, timers } = setUp({ concurrency: 0, queue: 0, waitMs: 0 }, 'other')
    const tickets = ['a', 'b', 'c'].map(enter)
    expect(journal).toEqual(['a goes', 'b goes', 'c goes'])
    for (const ticket of tickets) ticket.leave()
    expect(timers()).toBe(0)
  })

  it('keep their order when a call ends inside another', () => {
    const clock = createManualClock()
    const queues = createQueues(clock, new Map([['acme', { concurrency: 1, queue: 5, waitMs: 1000 }]]))
    const order: string[] = []
    const never = () => order.push('refused')
    const a = queues.enter('acme', () => order.push('a'), never)
    const b: Ticket = queues.enter(
      'acme',
      () => {
        order.push('b')
        queues.enter('acme', () => order.push('d'), never)
        b.leave()
      },
      never,
    )
    queues.enter('acme', () => order.push('c'), never)
    a.leave()
    expect(order).toEqual(['a', 'b', 'c'])
  })

  it('behave like a plain list, for any calls at any time', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('enter' as const) }),
      fc.record({ kind: fc.constantFrom('leave', 'cancel'), which: fc.nat(1000) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 1500 }) }),
    )
    const someLimits = fc.record({
      concurrency: fc.integer({ min: 1, max: 3 }),
      queue: fc.integer({ min: 0, max: 3 }),
      waitMs: fc.constant(1000),
    })
    fc.assert(
      fc.property(someLimits, fc.array(step, { maxLength: 80, size: 'max' }), (limits, steps) => {
        const { clock, enter, journal, timers } = setUp(limits)
        const tickets: Ticket[] = []
        const expected: string[] = []
        let running: number[] = []
        let waiting: { name: number; until: number }[] = []
        const fill = () => {
          while (running.length < limits.concurrency && waiting.length > 0) {
            const { name } = waiting.shift()!
            running.push(name)
            expected.push(`${name} goes`)
          }
        }
        for (const one of steps) {
          if (one.kind === 'enter') {
            const name = tickets.length
            if (running.length >= limits.concurrency && waiting.length >= limits.queue)
              expected.push(`${name} is refused: full`)
            else waiting.push({ name, until: clock.now() + limits.waitMs })
            tickets.push(enter(String(name)))
          } else if ('ms' in one) {
            clock.advance(one.ms)
            for (const { name, until } of waiting) if (until <= clock.now()) expected.push(`${name} is refused: late`)
            waiting = waiting.filter(({ until }) => until > clock.now())
          } else {
            const which = one.which % Math.max(1, tickets.length)
            tickets[which]?.[one.kind]()
            waiting = waiting.filter(({ name }) => name !== which)
            if (one.kind === 'leave') running = running.filter((name) => name !== which)
          }
          fill()
          expect(journal).toEqual(expected)
          expect(timers()).toBe(waiting.length)
        }
        for (const ticket of tickets) ticket.leave()
        expect(timers()).toBe(0)
      }),
    )
  })
})
