import { PERIODS, type CallRecord, type Limits, type Period } from '@dragoman/accounts'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { HARD_TEXT } from './values.ts'

/** What several instances do to a store, as data. Calls and slices are named by numbers, which `runProgram` resolves. */
export interface Program {
  /** When it begins: shortly before the end of an hour, day, week, month or year. */
  readonly start: number
  readonly steps: readonly Step[]
}

export type Step =
  | { readonly does: 'pass'; readonly ms: number }
  | ({ readonly does: 'commit' } & CommitStep)
  | { readonly does: 'bury' }
  | { readonly does: 'prune'; readonly ageMs: number; readonly limit: number }
  | {
      readonly does: 'save-key'
      readonly key: number
      readonly isStale: boolean
      readonly secret: number
      readonly name: string
    }
  | { readonly does: 'write-audit'; readonly text: string }
  | { readonly does: 'save-bodies'; readonly call: number; readonly ms: number; readonly text: string }

export interface CommitStep {
  readonly instance: number
  readonly settlements: readonly SettlementStep[]
  /** How much less of a slice the instance holds, as a part of it. */
  readonly slices: readonly { readonly slice: number; readonly part: number }[]
  readonly raises: readonly RaiseStep[]
  readonly openings: readonly OpeningStep[]
  readonly isLast: boolean
  /** The answer is lost, so the same batch is sent again. */
  readonly isRepeated: boolean
  /** The batch before, which its sender has given up, comes again after it. */
  readonly isOvertaking: boolean
}

export interface SettlementStep {
  /** Which of the calls of the instance, open or not. */
  readonly call: number
  readonly record: Pick<CallRecord, 'outcome' | 'cost' | 'tokens' | 'losses' | 'items' | 'estimated' | 'ms'> | undefined
  readonly tokens: number
}

/** A call of the instance is sent to another route. */
export interface RaiseStep extends Pick<OpeningStep, 'model' | 'estimate' | 'sliceRequests'> {
  /** Which of the calls of the instance, open or not. */
  readonly call: number
}

export interface OpeningStep {
  readonly key: number
  readonly owner: string
  readonly model: string
  readonly limits: Limits
  readonly tokens: number
  readonly estimate: number
  readonly sliceRequests: readonly {
    readonly period: Period
    readonly limit: number
    readonly least: number
    readonly more: number
  }[]
}

const text = fc.constantFrom('', 'ann', HARD_TEXT, 'Ünïcode')
const nanos = fc.oneof(fc.nat(2000), fc.constantFrom(0, Number.MAX_SAFE_INTEGER))

const record: Arbitrary<NonNullable<SettlementStep['record']>> = fc.record({
  outcome: fc.constantFrom('complete', 'failed', 'interrupted', 'aborted'),
  cost: nanos,
  tokens: fc.record({
    input: nanos,
    output: nanos,
    cacheRead: nanos,
    cacheWrite5m: nanos,
    cacheWrite1h: nanos,
    reasoning: nanos,
  }),
  losses: fc.uniqueArray(fc.constantFrom('a', 'b', HARD_TEXT), { maxLength: 3 }),
  items: fc.array(
    fc.record({
      name: fc.constantFrom('searches', 'images', 'megapixels'),
      quantity: fc.oneof(fc.nat(), fc.double({ min: 0, max: 9, noNaN: true })),
      nanos,
    }),
    { maxLength: 3 },
  ),
  estimated: fc.boolean(),
  ms: fc.nat(100_000),
})

const settlement: Arbitrary<SettlementStep> = fc.record({
  call: fc.nat(20),
  record: fc.option(record, { nil: undefined, freq: 4 }),
  tokens: fc.integer({ min: -300, max: 300 }),
})

const model = fc.constantFrom('acme/one', 'other/two', HARD_TEXT)
const estimate = fc.nat(1000)
const sliceRequests: Arbitrary<OpeningStep['sliceRequests']> = fc.uniqueArray(
  fc.record({
    period: fc.constantFrom(...PERIODS),
    limit: fc.constantFrom(1000, 5000, Number.MAX_SAFE_INTEGER),
    least: fc.nat(1200),
    more: fc.nat(3000),
  }),
  { maxLength: 3, selector: ({ period }) => period },
)

const raise: Arbitrary<RaiseStep> = fc.record({ call: fc.nat(20), model, estimate, sliceRequests })

const opening: Arbitrary<OpeningStep> = fc.record({
  key: fc.nat(2),
  owner: text,
  model,
  limits: fc.constantFrom<Limits[]>(
    {},
    {},
    { concurrent: 2 },
    { requests: 3 },
    { tokens: 500 },
    { requests: 5, tokens: 300, concurrent: 4 },
  ),
  tokens: fc.nat(400),
  estimate,
  sliceRequests,
})

const commit: Arbitrary<Step> = fc.record({
  does: fc.constant('commit'),
  instance: fc.nat(2),
  settlements: fc.array(settlement, { maxLength: 4 }),
  slices: fc.array(fc.record({ slice: fc.nat(9), part: fc.constantFrom(0, 0.5, 1) }), { maxLength: 3 }),
  raises: fc.array(raise, { maxLength: 2 }),
  openings: fc.array(opening, { maxLength: 4 }),
  isLast: fc.nat(19).map((number) => number === 0),
  isRepeated: fc.nat(4).map((number) => number === 0),
  isOvertaking: fc.nat(4).map((number) => number === 0),
})

const step: Arbitrary<Step> = fc.oneof(
  { arbitrary: commit, weight: 10 },
  {
    arbitrary: fc.record({
      does: fc.constant('pass'),
      ms: fc.oneof(fc.nat(20_000), fc.constantFrom(0, 1, 30_000, 3_600_000, 86_400_000, 32 * 86_400_000)),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ does: fc.constant('bury') }), weight: 2 },
  fc.record({
    does: fc.constant('prune'),
    ageMs: fc.constantFrom(60_000, 7_200_000, 90_000_000),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ does: fc.constant('save-key'), key: fc.nat(2), isStale: fc.boolean(), secret: fc.nat(9), name: text }),
  fc.record({ does: fc.constant('write-audit'), text }),
  fc.record({ does: fc.constant('save-bodies'), call: fc.nat(9), ms: fc.nat(90_000), text }),
)

/** The last seconds of a year, of a month with a change of clocks in Europe, of a week, of February in a leap year, and of an hour. */
const STARTS = [
  Date.UTC(2026, 11, 31, 23, 59, 50),
  Date.UTC(2026, 2, 29, 0, 59, 50),
  Date.UTC(2026, 9, 25, 23, 59, 50),
  Date.UTC(2028, 1, 29, 23, 59, 50),
  Date.UTC(2027, 5, 16, 12, 59, 50),
]

export const program: Arbitrary<Program> = fc.record({
  start: fc.constantFrom(...STARTS),
  steps: fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
})
