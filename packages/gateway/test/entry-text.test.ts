import { DragomanError, type Loss } from '@dragoman/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEntryText, describeEntry, entryText, type LogEntry } from '../src/index.ts'

const HOSTILE = [
  '"',
  '\\',
  '\n',
  '\u0000',
  '\u001f',
  '\u007f',
  '\u2028',
  '\ud800',
  '\udc00',
  '😀',
  'é',
  '","status":1,"a":"',
]
const short = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('a', '.', ...HOSTILE), maxLength: 5 }),
)
const long = fc.oneof(short, fc.string({ unit: fc.constantFrom('a', ...HOSTILE), minLength: 2000, maxLength: 3000 }))

function entries(text: fc.Arbitrary<string>): fc.Arbitrary<LogEntry> {
  const path = fc.array(fc.oneof(text, fc.nat()), { maxLength: 4 })
  const kind = fc.constantFrom('dropped', 'added', 'merged', 'moved') as fc.Arbitrary<'dropped'>
  const loss: fc.Arbitrary<Loss> = fc.record({ kind, path, reason: text })
  const facts = fc.record({ code: text, param: text }, { requiredKeys: [] })
  const cause = fc.option(text.map((message) => Object.assign(new Error(message), { code: message })))
  const error = fc
    .tuple(fc.constantFrom('upstream', 'internal'), text, facts, cause)
    .map(
      ([kind, message, members, because]) =>
        new DragomanError(kind, message, { ...members, cause: because ?? undefined }),
    )
  const attempt = fc.record({
    provider: text,
    model: text,
    protocol: text,
    origin: text,
    stream: fc.boolean(),
    startedAt: fc.nat(),
    ms: fc.nat(),
    outcome: fc.constantFrom('complete', 'failed'),
  })
  const count = fc.nat()
  const counts = {
    input: count,
    output: count,
    cacheRead: count,
    reasoning: count,
    estimated: fc.constant(true as const),
    clamped: fc.constant(true as const),
  }
  const usage = fc
    .record(counts, { requiredKeys: [] })
    .map((known) => ({ ...known, extras: { chat: { own: 'upstream' } } }))
  const item = fc.record({ name: fc.constantFrom('prompt', 'completion'), quantity: count, nanos: count })
  const cost = fc.record(
    {
      total: count,
      items: fc.uniqueArray(item, { selector: ({ name }) => name }),
      version: text,
      unpriced: fc.constant(['searches'] as const),
    },
    { requiredKeys: ['total', 'items'] },
  )
  const required = {
    requestId: fc.string({ unit: fc.constantFrom('a', ...HOSTILE), maxLength: 5 }),
    method: text,
    path: text,
    protocol: fc.constantFrom('chat', 'ch"at'),
    status: fc.integer({ min: 100, max: 599 }),
    outcome: fc.constantFrom('complete', 'failed', 'interrupted', 'aborted'),
    ms: fc.double({ min: 0, max: 1e7, noNaN: true }),
    attempts: fc.array(attempt, { maxLength: 20 }),
    losses: fc.array(loss, { maxLength: 30 }),
  }
  const optional = {
    firstByteMs: fc.nat(),
    caller: text,
    provider: text,
    model: text,
    mode: fc.constantFrom('relay', 'translate'),
    because: text,
    usage,
    cost,
    error,
  }
  return fc
    .tuple(fc.record(required), fc.record(optional, { requiredKeys: [] }))
    .map(([always, sometimes]) => ({ ...always, ...sometimes }))
}

function parsed(entry: LogEntry): unknown {
  return JSON.parse(`{${entryText(entry)}}`)
}

describe('the text of a log entry', () => {
  it('is the JSON of describeEntry, on one line and under 8 KB, for every text', () => {
    fc.assert(
      fc.property(entries(long), (entry) => {
        expect(parsed(entry)).toEqual(JSON.parse(JSON.stringify(describeEntry(entry))))
        expect(entryText(entry)).not.toMatch(/[\n\r]/)
        expect(new TextEncoder().encode(entryText(entry)).length).toBeLessThan(8000)
      }),
    )
  })

  it('has short values unchanged', () => {
    fc.assert(
      fc.property(entries(short), ({ attempts, losses, error, usage, cost, ...generated }) => {
        const entry = { ...generated, method: 'P"ST' }
        expect(parsed({ ...entry, attempts: [], losses: [] })).toEqual({ ...entry, ms: Math.round(entry.ms) })
      }),
    )
  })

  it('counts the omitted losses', () => {
    const losses = Array.from({ length: 100_000 }, (_, i): Loss => ({ kind: 'dropped', path: [`k${i}`], reason: 'r' }))
    const entry = { requestId: 'r', method: 'GET', path: '/', protocol: 'chat', status: 200, ms: 1 }
    const { losses: stated } = parsed({ ...entry, outcome: 'complete', attempts: [], losses }) as { losses: string[] }
    expect(stated).toHaveLength(9)
    expect(stated.at(0)).toBe('dropped k0: r')
    expect(stated.at(-1)).toBe('[99992 more]')
  })
  it('is the same if parts of earlier entries are kept, whatever two entries have in common', () => {
    const keeping = createEntryText()
    // Keys that many entries share, and entries that differ from the one before in some members.
    const shared = fc.record({ path: fc.constantFrom('/a', '/"', '/b'), model: fc.constantFrom('m', 'n', undefined) })
    fc.assert(
      fc.property(entries(short), entries(short), shared, fc.func(fc.boolean()), (one, other, common, takesOther) => {
        const first: LogEntry = { ...one, ...common }
        const members = Object.entries(other).filter(([name]) => !(name in common) && takesOther(name))
        const second: LogEntry = { ...first, ...Object.fromEntries(members) }
        for (const entry of [first, second, first]) expect(keeping(entry)).toBe(entryText(entry))
      }),
    )
  })

  it('keeps the parts of many entries no longer than they are needed', () => {
    const keeping = createEntryText()
    const entry = { requestId: 'r', method: 'GET', protocol: 'chat', status: 200, ms: 1, attempts: [], losses: [] }
    for (let i = 0; i < 1000; i++) {
      const each: LogEntry = { ...entry, outcome: 'complete', path: `/${i}`, model: `a/${i % 300}`, provider: 'a' }
      expect(keeping(each)).toBe(entryText(each))
    }
  })
})
