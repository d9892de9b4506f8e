import {
  cutTopLevel,
  editTopLevel,
  type Edits,
  type JsonObject,
  type Parsed,
  type Protocol,
  type RequestLoss,
} from '@dragoman/core'
import { refuseChoosers } from '@dragoman/core/provider'
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
  const isCut = parsed !== undefined && bytes.length >= PIECES_FROM
  const body = isCut ? cutTopLevel(bytes, guarded, parsed) : editTopLevel(bytes, guarded, parsed)
  return { plan: RELAY, body, losses, lossCount: losses.length, asked: undefined }
}

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
