import { ceilingOf, costOf, type Billed, type Card, type Cost } from '@dragoman/core/provider'
import { chargeOfBill } from '../metering/charge.ts'
import type { Meter } from '../metering/meter.ts'
import type { Candidate } from './candidates.ts'
import type { Survey } from '../bodies/survey.ts'

/** By the prices of a route, the size of the request and the caller's own limit. */
export interface Estimate {
  /** Nano-dollars for the whole call, with what attempts before have cost; 0 for a model without prices. */
  readonly nanos: number
  /** Of input and output. */
  readonly tokens: number
}

/** The tokens of an answer, for comparing prices. A caller's lower limit counts instead. */
const TYPICAL_ANSWER = 1000
const TYPICAL_PROMPT = 1000

/** The estimated price of a call in nano-dollars. */
export function priceOf({ card }: Pick<Candidate, 'card'>, survey: Survey | undefined): number | undefined {
  const cost = costOf(card, tokensOf(survey ?? {}))
  return cost === undefined || cost.unpriced !== undefined ? undefined : cost.total
}

/** What a call is expected to use with the planned route, and to cost in all, with the attempts before. */
export function estimateCall(meter: Meter): Estimate {
  const { current, isBilled, bill } = meter
  if (current === undefined || !isBilled) return NOTHING
  const { input = 0, output = 0 } = bill ?? tokensOf(meter)
  return { nanos: (meter.cost?.total ?? 0) + (expectedCost(meter)?.total ?? 0), tokens: input + output }
}

const NOTHING: Estimate = { nanos: 0, tokens: 0 }

/** What the planned upstream call is expected to cost. Undefined if that is unknown. If it must have a price, all of it has one. */
export function expectedCost(meter: Meter): Cost | undefined {
  return meter.current === undefined ? undefined : costOfUse(meter.current.route.card, meter)
}

/** What an upstream call is expected to use. */
export type ExpectedUse = Pick<Meter, 'bill' | 'promptTokens' | 'maxTokens' | 'asked' | 'needsPrice'>

/** What that costs by a card. Budgets reserve it, and explanations state it. */
export function costOfUse(card: Card, use: ExpectedUse): Cost | undefined {
  const { bill, asked, needsPrice } = use
  if (bill !== undefined) return chargeOfBill(card, bill, needsPrice)
  const billed: Billed = { ...tokensOf(use), ...asked.terms, ...(asked.searches === true ? ONE_SEARCH : {}) }
  return needsPrice ? ceilingOf(card, billed) : costOf(card, billed)
}

const ONE_SEARCH = { searches: 1 } as const

function tokensOf({ promptTokens, maxTokens }: Partial<Pick<Meter, 'promptTokens' | 'maxTokens'>>): {
  readonly input: number
  readonly output: number
} {
  return {
    input: promptTokens ?? TYPICAL_PROMPT,
    output: Math.min(maxTokens ?? TYPICAL_ANSWER, TYPICAL_ANSWER),
  }
}
