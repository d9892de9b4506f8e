import { cutTopLevel, editTopLevel, type Edits, type JsonObject, type Parsed, type Protocol } from '@dragoman/core'
import { refuseChoosers } from '@dragoman/core/provider'
import type { Plan } from '../plan.ts'
import { upstreamName } from '../route-facts.ts'
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
export function relayBody(inbound: Protocol, { bytes, parsed, json }: RelayedBody, route: WorkRoute): Prepared {
  const guarded = guardEdits(inbound, json, route, inbound.relay.edits(json, upstreamName(route)))
  const isCut = parsed !== undefined && bytes.length >= PIECES_FROM
  const body = isCut ? cutTopLevel(bytes, guarded, parsed) : editTopLevel(bytes, guarded, parsed)
  return { plan: RELAY, body, losses: [], lossCount: 0 }
}

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
