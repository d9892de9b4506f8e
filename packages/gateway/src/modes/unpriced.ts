import { DragomanError } from '@dragoman/core'
import { ceilingOf, costOf } from '@dragoman/core/provider'
import type { Exchange } from '../call/exchange.ts'
import type { Meter } from '../metering/meter.ts'
import { expectedCost } from '../routing/estimate.ts'
import type { Route } from '../models/route.ts'
import type { Settings } from '../call/settings.ts'

/** The error of a call that must have a price, if the planned route has none for it, and no ceiling. */
export function unpricedError({ pricesAt }: Pick<Settings, 'pricesAt'>, meter: Meter): DragomanError | undefined {
  const { current, isBilled, asked, bill } = meter
  if (current === undefined || !isBilled || expectedCost(meter) !== undefined) return undefined
  const { id, card } = current.route
  const { terms = {} } = asked
  const missing = bill === undefined ? (costOf(card, ONE_TOKEN)?.unpriced ?? []) : []
  const wanted = Object.entries(TERM_NAMES).flatMap(([name, member]) => {
    const word = terms[name as keyof typeof TERM_NAMES] // its own members
    return word === undefined ? [] : [`${member} "${word}"`]
  })
  const reasons = [
    ...missing,
    ...(missing.length > 0 ? [] : wanted),
    ...(asked.searches === true ? ['web searches'] : []),
  ]
  const what = card.prices === undefined || reasons.length === 0 ? '' : ` for ${reasons.join(' and ')}`
  const message = `The model "${id}" has no price${what}, and this key has a budget. The operator can state one in ${pricesAt}.`
  return new DragomanError('permission', message, { code: 'price_unknown', param: 'model' })
}

/**
 * The member with the tier of service that a call asks for, if the call must have a price, the card has none for this tier, and the caller's
 * protocol never fails a request for it.
 */
export function unpricedTier(
  { protocol, meter }: Pick<Exchange, 'protocol' | 'meter'>,
  { card }: Route,
): string | undefined {
  const tier = meter.needsPrice ? meter.peek?.terms?.tier : undefined
  if (tier === undefined || protocol.relay.optionalTier === undefined) return undefined
  return ceilingOf(card, { ...ONE_TOKEN, tier }) === undefined ? protocol.relay.optionalTier : undefined
}

const ONE_TOKEN = { input: 1, output: 1 } as const

/** As most protocols call them. */
const TERM_NAMES = { tier: 'service_tier', speed: 'speed', geo: 'inference_geo' } as const
