import type { PriceTerms, Usage } from '@dragoman/core'
import { ceilingOf, costOf, type Billed, type Card, type Cost, type CostItem } from '@dragoman/core/provider'
import { fillUsage } from '../bodies/estimate.ts'
import type { Meter } from './meter.ts'

/** The usage of an upstream call and its price. */
export interface Priced {
  readonly usage: Usage | undefined
  readonly cost: Cost | undefined
}

/** Prices what an upstream has reported, with estimates for the rest, as `Meter.used` describes it. Undefined if the call is not billed. */
export function priceUsage(
  { current, isBilled, bill, share, needsPrice, promptTokens, asked }: Meter,
  counts: Usage | undefined,
  uncounted: number | undefined,
  terms: PriceTerms | undefined,
): Priced | undefined {
  if (!isBilled || current === undefined) return undefined
  const { card } = current.route
  if (counts === undefined && uncounted !== undefined && bill !== undefined) {
    const part: Billed = { ...partOf(bill, share?.() ?? 1), estimated: true }
    return { usage: tokensOf(part), cost: chargeOfBill(card, part, needsPrice) }
  }
  const usage = uncounted === undefined ? counts : fillUsage(counts, promptTokens, uncounted)
  return { usage, cost: usage && chargeOf(card, { ...usage, ...asked.terms, ...terms }, needsPrice) }
}

function tokensOf({ input, output }: Billed): Usage {
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    estimated: true,
  }
}

/**
 * What an upstream call costs. If the call needs a price, what has none is charged by the ceiling of the card. An answer under terms that
 * have neither, and that the call did not ask for, is charged by the standard terms, as an estimate. Undefined if the card has no prices.
 */
function chargeOf(card: Card, billed: Billed, needsPrice: boolean): Cost | undefined {
  if (!needsPrice) return costOf(card, billed)
  const known = ceilingOf(card, billed)
  if (known !== undefined) return known
  const { tier: _, speed: __, geo: ___, hop: ____, ...standard } = billed
  return ceilingOf(card, { ...standard, estimated: true }) ?? costOf(card, { ...standard, estimated: true })
}

/** The tokens of a square image of medium quality. */
const TYPICAL_IMAGE = 1056
/**
 * The tokens of a large image by the quality that is asked for, as those of gpt-image-1 (2026). The number for higher qualities is unknown:
 * at least as many.
 */
const IMAGE_OF: ReadonlyMap<string, number> = new Map([
  ['low', 408],
  ['medium', 1584],
  ['high', 6240],
  ['xhigh', 6240],
  ['max', 6240],
])

/** The same for a bill of media that is not known yet. Some images are priced by tokens only. */
export function chargeOfBill(card: Card, bill: Billed, needsPrice: boolean): Cost | undefined {
  const price = (billed: Billed): Cost | undefined => (needsPrice ? ceilingOf(card, billed) : costOf(card, billed))
  const cost = price(bill)
  if (cost !== undefined && cost.unpriced === undefined) return cost
  const tokens = (bill.images ?? 0) * (IMAGE_OF.get(bill.quality?.toLowerCase() ?? '') ?? TYPICAL_IMAGE)
  if (tokens === 0) return cost
  return price({ ...bill, images: 0, pixels: [], output: tokens, modalities: { output: { image: tokens } } }) ?? cost
}

/** A part of what was expected to be billed: some of the calls that it takes. */
function partOf(bill: Billed, share: number): Billed {
  if (share === 1) return bill
  const { input, output, images, pixels, videoSeconds, audioVideoSeconds } = bill
  return {
    ...bill,
    ...(input === undefined ? {} : { input: Math.ceil(input * share) }),
    ...(output === undefined ? {} : { output: Math.ceil(output * share) }),
    ...(images === undefined ? {} : { images: Math.ceil(images * share) }),
    ...(pixels === undefined ? {} : { pixels: pixels.slice(0, Math.ceil(pixels.length * share)) }),
    ...(videoSeconds === undefined ? {} : { videoSeconds: videoSeconds * share }),
    ...(audioVideoSeconds === undefined ? {} : { audioVideoSeconds: audioVideoSeconds * share }),
  }
}

/** The price of an attempt, and of those before it that upstreams have received. */
export function withEarlier(cost: Cost | undefined, earlier: readonly Cost[]): Cost | undefined {
  if (earlier.length === 0) return cost
  const items = earlier.map(({ total }): CostItem => ({ name: 'attempt', quantity: 1, nanos: total }))
  const total = items.reduce((sum, { nanos }) => sum + nanos, cost?.total ?? 0)
  const isEstimated = earlier.some(({ estimated }) => estimated === true)
  const isCeiling = earlier.some(({ ceiling }) => ceiling === true)
  return {
    ...cost,
    total,
    items: [...(cost?.items ?? []), ...items],
    ...(isEstimated ? { estimated: true } : {}),
    ...(isCeiling ? { ceiling: true } : {}),
  }
}
