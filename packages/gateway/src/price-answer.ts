import type { Pricing } from '@dragoman/core'
import { sidesOf, type Bytes, type Cost } from '@dragoman/core/provider'
import { decodeText } from './collect.ts'
import type { Meter } from './meter.ts'
import type { StreamHandler } from './modes/handler.ts'

/** A whole answer with its price, if it was requested and is known. */
export function pricedBody(pricing: Pricing | undefined, cost: Cost | undefined, body: Bytes): Bytes {
  if (pricing === undefined || cost === undefined) return body
  return pricing.whole(typeof body === 'string' ? new TextEncoder().encode(body) : body, sidesOf(cost))
}

/** Complete frames of a stream. Those with usage get the price of all usage so far. */
export function pricedFrames(
  pricing: Pricing,
  meter: Meter,
  stream: StreamHandler,
  frames: Bytes | undefined,
): Bytes | undefined {
  if (frames === undefined) return undefined
  const text = typeof frames === 'string' ? frames : decodeText(frames)
  const priced = pricing.frames(text, () => {
    meter.used(stream.usage())
    return meter.cost === undefined ? undefined : sidesOf(meter.cost)
  })
  return priced === text ? frames : priced
}
