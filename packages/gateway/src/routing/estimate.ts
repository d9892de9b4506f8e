import { costOf, type Billed, type Card, type Cost } from '@dragoman/core/provider'
import type { Meter } from '../meter.ts'
import type { Estimate } from '../stages/stage.ts'
import type { Candidate } from './candidates.ts'
import type { Survey } from './survey.ts'

/** The tokens of an answer, for comparing prices. A caller's lower limit counts instead. */
const TYPICAL_ANSWER = 1000
const TYPICAL_PROMPT = 1000
/** The tokens of a square picture of medium quality. */
const TYPICAL_PICTURE = 1056

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

/** What a call to the planned route is expected to use. `bill` is what it is billed for if that is not the tokens of a conversation. */
export function estimateCall(meter: Meter, bill: Billed | undefined): Estimate {
  const { current, isBilled, promptTokens, maxTokens } = meter
  if (current === undefined || !isBilled) return NOTHING
  const { card } = current.route
  if (bill !== undefined) return { nanos: priceOfBill(card, bill), tokens: (bill.input ?? 0) + (bill.output ?? 0) }
  const input = promptTokens ?? TYPICAL_PROMPT
  const output = Math.min(maxTokens ?? TYPICAL_ANSWER, TYPICAL_ANSWER)
  return { nanos: costOf(card, { input, output })?.total ?? 0, tokens: input + output }
}

const NOTHING: Estimate = { nanos: 0, tokens: 0 }

/** Some pictures are priced by tokens only, which are not known before. */
function priceOfBill(card: Card, bill: Billed): number {
  const cost = costOf(card, bill)
  if (cost !== undefined) return cost.total
  const tokens = (bill.images ?? 0) * TYPICAL_PICTURE
  return costOf(card, { output: tokens, modalities: { output: { image: tokens } } })?.total ?? 0
}
