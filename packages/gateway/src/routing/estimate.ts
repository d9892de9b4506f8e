import { costOf, type Cost } from '@dragoman/core/provider'
import type { Candidate } from './candidates.ts'
import type { Survey } from './survey.ts'

/** The tokens of an answer, for comparing prices. A caller's lower limit counts instead. */
const TYPICAL_ANSWER = 1000
const TYPICAL_PROMPT = 1000

/** The estimated price of a call in nano-dollars. */
export function priceOf(route: Pick<Candidate, 'card'>, survey: Survey | undefined): number | undefined {
  const cost = estimatedCost(route, survey)
  return cost === undefined || cost.unpriced !== undefined ? undefined : cost.total
}

/** The same item by item. Undefined if the card has no prices. */
export function estimatedCost(
  { card }: Pick<Candidate, 'card'>,
  survey: Pick<Survey, 'promptTokens' | 'maxTokens'> | undefined,
): Cost | undefined {
  const input = survey?.promptTokens ?? TYPICAL_PROMPT
  const output = Math.min(survey?.maxTokens ?? TYPICAL_ANSWER, TYPICAL_ANSWER)
  return costOf(card, { input, output, estimated: true })
}
