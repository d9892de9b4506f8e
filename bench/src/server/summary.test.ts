import { describe, expect, it } from 'vitest'
import type { Found, Reading } from './rounds.ts'
import type { Subject } from './subjects.ts'
import { summarize, type Measured } from './summary.ts'
import { WORKLOADS } from './window.ts'

const READING: Reading = { micros: 100, perSecond: 1, busy: 0.99, p50Ms: 1, p99Ms: 1, maxMs: 1, gc: 0, stallMs: 0 }

function found(kind: Subject['kind'], name: string, ratio: number, middle: Partial<Reading> = {}): Found<Subject> {
  const subject = { kind, name } as Subject // nothing else of it is read
  return { subject, ratio: { value: ratio, uncertainty: ratio / 40 }, readings: [], middle: { ...READING, ...middle } }
}

describe('the summary of the server benchmark', () => {
  const small: Measured = {
    workload: WORKLOADS.small,
    found: [
      found('relay', 'dragoman chat → chat', 1.5, { micros: 150 }),
      found('relay', 'dragoman genai → genai', 1.62),
      found('translate', 'dragoman chat → messages', 1.7, { micros: 170 }),
      found('translate', 'dragoman chat → genai', 9, { busy: 0.5 }),
      found('portkey', 'Portkey chat → chat', 7, { micros: 900 }),
      found('portkey', 'Portkey chat → messages', 6, { micros: 850 }),
    ],
  }
  const text = summarize(
    { small, large: small },
    { startMs: 444.4, idleMegabytes: 99.6 },
    { ours: 390.4, dispatch: 289.2 },
  )

  it('gives the lowest and the highest of all pairs, with its bars, and names the worst pair', () => {
    expect(text).toContain('| relay, CPU per request | 1.6 | 1.3 | 1.50 to 1.62 (genai → genai), ±5 % |')
    expect(text).toContain('| 64 KB body, relay | 2.3 | 1.8 | 1.50 to 1.62 (genai → genai), ±5 % |')
    expect(text).toContain('| 64 KB body, translate | 3.3 | 2.7 | 1.70 (chat → messages), ±5 % (1 of 2 void) |')
    expect(text).toContain('| cold start, ms to the first 200 | 350 | 200 | 444 |')
  })

  it('has the memory of servers with 1,000 streams', () => {
    expect(text).toContain('| memory with 1,000 streams, MB resident | 340 | 300 | 390 |')
    expect(text).toContain('| for scale: undici dispatch with 1,000 streams, MB resident |  |  | 289 |')
    const without = summarize({}, { startMs: 1, idleMegabytes: 1 }, undefined)
    expect(without).toContain('| memory with 1,000 streams, MB resident | 340 | 300 | not measured |')
  })

  it('leaves void rows out, and counts them', () => {
    expect(text).toContain('| translate, CPU per request | 2 | 1.6 | 1.70 (chat → messages), ±5 % (1 of 2 void) |')
  })

  it('shows void rows if there are no others', () => {
    const waited = { ...small, found: small.found.map((each) => ({ ...each, middle: { ...each.middle, busy: 0.5 } })) }
    const all = summarize({ small: waited }, { startMs: 1, idleMegabytes: 1 }, undefined)
    expect(all).toContain('| relay, CPU per request | 1.6 | 1.3 | 1.50 to 1.62 (genai → genai), ±5 % (2 of 2 void) |')
  })

  it('compares with Portkey pair by pair, and names what was not measured', () => {
    expect(text).toContain('| requests × Portkey, relay (chat → chat) | 7 | 15 | 6.0 |')
    expect(text).toContain('| requests × Portkey, translate (chat → messages) | 6 | 12 | 5.0 |')
    expect(text).toContain('| CPU per token, relay | 1.1 | 0.95 | not measured |')
    expect(text).toContain('| CPU per token, translate | 1.2 | 1.05 | not measured |')
  })
})
