import {
  applyCuts,
  editTopLevel,
  findCuts,
  type Cut,
  type Edits,
  type JsonObject,
  type Parsed,
  type Protocol,
  type RequestLoss,
} from '@dragoman/core'
import { joinBytes, refuseChoosers, type OutgoingBody } from '@dragoman/core/provider'
import type { Plan } from '../models/plan.ts'
import { upstreamName } from '../models/route-facts.ts'
import type { Prepared, WorkRoute } from './request-work.ts'

const RELAY: Plan = { mode: 'relay' }

/** Below this size a copy costs less than another write. */
const PIECES_FROM = 16 * 1024

export interface RelayedBody {
  readonly bytes: Uint8Array
  readonly parsed?: Parsed | undefined
  readonly json: JsonObject
}

/** The client's own bytes with named members edited. */
export function relayBody(
  inbound: Protocol,
  { bytes, parsed, json }: RelayedBody,
  route: WorkRoute,
): Prepared<undefined> {
  const { leftOut } = route
  const edits = guardEdits(inbound, json, route, inbound.relay.edits(json, upstreamName(route)))
  const guarded = leftOut === undefined ? edits : { ...edits, [leftOut]: null }
  const losses = lossOf(leftOut)
  const cuts = parsed === undefined ? undefined : findCuts(bytes, guarded, parsed)
  const body = cuts === undefined ? editTopLevel(bytes, guarded) : withCuts(bytes, cuts)
  return { plan: RELAY, body, losses, lossCount: losses.length, asked: undefined }
}

/** A small body is copied. Most pieces of a large one are views of the sender's own bytes. */
export function withCuts(bytes: Uint8Array, cuts: readonly Cut[]): OutgoingBody {
  if (bytes.length < PIECES_FROM || cuts.length === 0) return applyCuts(bytes, cuts)
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { start, end, text } of cuts) {
    const kept = bytes.subarray(from, start)
    const added = ENCODER.encode(text)
    // Each piece is written alone: the few bytes before the model are copied to its name.
    if (kept.length < COPIED_BELOW) pieces.push(joinBytes([kept, added]))
    else pieces.push(kept, ...(text === '' ? [] : [added]))
    from = end
  }
  pieces.push(bytes.subarray(from))
  return pieces
}

const COPIED_BELOW = 4 * 1024

/** Has no state between calls, and costs more to create than to use. */
const ENCODER = new TextEncoder()

/** The loss of a member that is left out, because the model has no price for it. */
export function lossOf(leftOut: string | undefined): readonly RequestLoss[] {
  if (leftOut === undefined) return NO_LOSSES
  return [{ kind: 'dropped', path: [leftOut], reason: 'the model has no price for it' }]
}

const NO_LOSSES: readonly RequestLoss[] = []

/**
 * The edits of a relay, with those for a restricted key. Refuses a body that would choose another model. Members of a protocol other
 * than the upstream's do not reach it.
 */
export function guardEdits(
  inbound: Protocol,
  json: JsonObject,
  { isRestricted, card, protocol }: WorkRoute,
  edits: Edits,
): Edits {
  if (!isRestricted || protocol !== inbound) return edits
  return { ...edits, ...refuseChoosers(inbound, json, card.choosers?.[inbound.name], edits) }
}
