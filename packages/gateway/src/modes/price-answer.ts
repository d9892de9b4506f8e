import { editTopLevel, valuesOf, type AnswerCost, type Pricing } from '@dragoman/core'
import { joinBytes, sidesOf, type Bytes, type Cost } from '@dragoman/core/provider'
import { decodeText } from '../ports/collect.ts'
import type { Meter } from '../metering/meter.ts'
import type { StreamHandler } from './handler.ts'
import { dollars } from '../metering/dollars.ts'

/** A whole answer, relayed or translated, with its price, if it was requested and is known. All other bytes stay as they are. */
export function pricedBody(pricing: Pricing | undefined, cost: Cost | undefined, body: Bytes): Bytes {
  if (pricing === undefined || cost === undefined) return body
  return writeCost(pricing, typeof body === 'string' ? UTF8.encode(body) : body, cost)
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
  const marker = `"${pricing.member}"`
  if (!text.includes(marker)) return frames
  meter.used(stream.usage())
  const { cost } = meter
  if (cost === undefined) return frames
  return text.replace(DATA, (line, before: string, data: string) =>
    data.includes(marker) ? before + decodeText(writeCost(pricing, UTF8.encode(data), cost)) : line,
  )
}

/** A line of data. Other line ends than these are part of the data. */
const DATA = /((?:^|[\r\n])data:)([^\r\n]*)/g
/** Has no state between calls. */
const UTF8 = new TextEncoder()
const OPEN = 123

/** The same bytes if the answer has no object for its price. */
function writeCost(pricing: Pricing, body: Uint8Array, cost: Cost): Uint8Array {
  const edits = pricing.edits(inDollars(cost))
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { start, end } of valuesOf(body, body.indexOf(OPEN), pricing.member)) {
    if (body[start] !== OPEN) continue
    pieces.push(body.subarray(from, start), editTopLevel(body.subarray(start, end), edits))
    from = end
  }
  return from === 0 ? body : joinBytes([...pieces, body.subarray(from)])
}

function inDollars(cost: Cost): AnswerCost {
  const { total, input, output } = sidesOf(cost)
  return { total: dollars(total), input: dollars(input), output: dollars(output), estimated: cost.estimated === true }
}
