import {
  checkCounts,
  cutTopLevel,
  editTopLevel,
  refuseChoosers,
  isObject,
  DragomanError,
  translate,
  type CountLimits,
  type AnswerFacts,
  type OutgoingBody,
  type Edits,
  type JsonObject,
  type Loss,
  type Match,
  type Parsed,
  type Peek,
  type Protocol,
} from '@dragoman/core'
import { leaveOut, readBody, readJson, refuseMembers } from '../body.ts'
import { limitsOf, plan, type Plan } from '../plan.ts'
import type { Clock } from '../ports.ts'
import type { Route } from '../resolve.ts'
import { answerOptions, upstreamName } from '../route-facts.ts'
import type { UnsupportedFields } from '../settings.ts'
import { estimateTokens } from './estimate.ts'

/**
 * What is done with the body of one request. The larger the body, the longer it takes: `openWork` decides whether it happens at
 * once or in another thread.
 */
export interface RequestWork {
  /** Parses and checks the body. Called once, before anything else. */
  read(): BodyFacts | Promise<BodyFacts>
  /** Decides between relay and translation for a route, and writes the body that goes upstream. */
  prepare(route: WorkRoute, seals?: 'without seals'): Prepared | Promise<Prepared>
  /** The body is not needed any more. */
  close(): void
}

/** All that the gateway needs to know of a body. */
export interface BodyFacts {
  readonly peek: Peek
  /** Members that the protocol does not support, and that were left out. */
  readonly losses: readonly Loss[]
  /** Of a call that counts: how many tokens the body may have. */
  readonly estimate?: number | undefined
}

/** A body that is ready to go upstream. */
export interface Prepared {
  readonly plan: Plan
  readonly body: OutgoingBody
  /** Of the request, without those that reading it reported. From another thread only the first ones come. */
  readonly losses: readonly Loss[]
  /** How many losses there are in all. */
  readonly lossCount: number
  /** Of a translation: what the translation of the answer needs. */
  readonly facts?: AnswerFacts | undefined
}

/** A route, as far as the work on a body needs to know it. */
export interface WorkRoute extends Pick<Route, 'id' | 'card' | 'protocol'> {
  /** The caller's key is good for some models only: nothing in the body may choose another. */
  readonly isRestricted: boolean
}

export interface WorkOptions {
  readonly unsupportedFields: UnsupportedFields
  readonly counts: CountLimits
  readonly ids: () => string
  readonly clock: Pick<Clock, 'now'>
}

/** The work on a body in this thread, at once. */
export interface LocalWork extends RequestWork {
  read(): BodyFacts
  prepare(route: WorkRoute, seals?: 'without seals'): Prepared
}

export function createWork(inbound: Protocol, match: Match, bytes: Uint8Array, options: WorkOptions): LocalWork {
  return match.operation === 'count'
    ? createCountWork(inbound, match, bytes, options)
    : createGenerateWork(inbound, match, bytes, options)
}

function createGenerateWork(inbound: Protocol, match: Match, bytes: Uint8Array, options: WorkOptions): LocalWork {
  let held: { readonly json: JsonObject; readonly ignored: readonly string[] } | undefined
  let source: Uint8Array | undefined = bytes
  let text: Parsed | undefined
  return {
    read() {
      const { parsed, checked } = readBody(inbound, bytesOf(source), options.counts)
      text = parsed
      refuseMembers(inbound, checked, options.unsupportedFields)
      const { body, members, losses } = leaveOut(inbound, checked)
      held = { json: body, ignored: members }
      return { peek: inbound.relay.peek(body, match), losses }
    },
    prepare(route, seals) {
      const { json, ignored } = bodyOf(held)
      const parsed = text
      // As large as the body, and of no use to a second try.
      text = undefined
      const chosen = seals === undefined ? plan(inbound, match, json, route) : WITHOUT_SEALS
      if (chosen.way === 'relay') return relayBody(inbound, { bytes: bytesOf(source), parsed, json, ignored }, route)
      guardEdits(inbound, json, route, inbound.relay.edits(json, upstreamName(route)))
      const { body, losses, facts } = translate(inbound, route.protocol, json, {
        ...answerOptions(route, options),
        model: upstreamName(route),
        withoutSeals: seals !== undefined,
        limits: limitsOf(route),
        quirks: route.card.quirks?.[route.protocol.name],
        match,
      })
      return { plan: chosen, body: JSON.stringify(body), losses, lossCount: losses.length, facts }
    },
    close() {
      held = undefined
      source = undefined
      text = undefined
    },
  }
}

const RELAY: Plan = { way: 'relay' }
const WITHOUT_SEALS: Plan = { way: 'translate', because: 'the upstream refused a seal of the history' }

/** Below this size a copy costs less than a further write. */
const PIECES_FROM = 16 * 1024

interface RelayedBody {
  readonly bytes: Uint8Array
  readonly parsed?: Parsed | undefined
  readonly json: JsonObject
  readonly ignored: readonly string[]
}

/** The client's own bytes with the named members edited. */
function relayBody(inbound: Protocol, { bytes, parsed, json, ignored }: RelayedBody, route: WorkRoute): Prepared {
  const left = Object.fromEntries(ignored.map((member) => [member, null]))
  const edits = { ...inbound.relay.edits(json, upstreamName(route)), ...left }
  const guarded = guardEdits(inbound, json, route, edits)
  const isCut = parsed !== undefined && bytes.length >= PIECES_FROM
  const body = isCut ? cutTopLevel(bytes, guarded, parsed) : editTopLevel(bytes, guarded, parsed)
  return { plan: RELAY, body, losses: [], lossCount: 0 }
}

/**
 * The edits of a relay, and those that a restricted key needs. Refuses a body that would choose another model; members of another
 * protocol than the upstream's do not reach it.
 */
function guardEdits(
  inbound: Protocol,
  json: JsonObject,
  { isRestricted, card, protocol }: WorkRoute,
  edits: Edits,
): Edits {
  if (!isRestricted || protocol !== inbound) return edits
  return { ...edits, ...refuseChoosers(inbound, json, card.choosers?.[inbound.name], edits) }
}

/** A body whose tokens are counted: always handed on as it came, if at all. */
function createCountWork(inbound: Protocol, match: Match, bytes: Uint8Array, { counts }: WorkOptions): LocalWork {
  let held: JsonObject | undefined
  let source: Uint8Array | undefined = bytes
  return {
    read() {
      const { count, request, relay, issuer } = inbound
      const json = readJson(bytesOf(source))
      if (count === undefined) throw new DragomanError('not-found', 'This protocol does not count tokens.')
      if (!isObject(json)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
      const asked = count.request(json)
      checkCounts(asked, request.history, bytes.length, counts)
      const counted = request.decode(request.check(asked), { issuer, path: match })
      held = json
      return { peek: relay.peek(json, match), losses: [], estimate: estimateTokens(counted) }
    },
    prepare: (route) => relayBody(inbound, { bytes: bytesOf(source), json: bodyOf(held), ignored: [] }, route),
    close() {
      held = undefined
      source = undefined
    },
  }
}

function bodyOf<T>(held: T | undefined): T {
  if (held === undefined) throw new DragomanError('internal', 'A request was prepared before it was read.')
  return held
}

function bytesOf(source: Uint8Array | undefined): Uint8Array {
  if (source === undefined) throw new DragomanError('internal', 'A request was used after it was closed.')
  return source
}
