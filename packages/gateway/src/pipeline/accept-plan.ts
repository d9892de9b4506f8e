import { isObject, parseJson, type Match, type Peek } from '@dragoman/core'
import { joinBody, type OutgoingBody } from '@dragoman/core/provider'
import type { BodyFacts, Prepared } from '../bodies/request-work.ts'
import { decodeText } from '../ports/collect.ts'
import type { AskedFacts } from '../metering/meter.ts'
import { routeHeaders } from '../call/answer-head.ts'
import { lostHeaders } from '../modes/send.ts'
import type { Plan } from '../models/plan.ts'
import type { Route } from '../models/route.ts'
import { unpricedTier } from '../modes/unpriced.ts'
import { describeAgainst, lossAgainst, refusedLoss } from '../routing/fidelity.ts'
import type { Next } from '../routing/next.ts'
import type { OperationCall } from './operation.ts'

/**
 * Records the plan for a route and its losses. Returns false if the losses are against the policy of the call and another route follows;
 * throws if none may.
 */
export function acceptPlan<Facts extends BodyFacts, Asked>(
  { exchange, body, match }: OperationCall<Facts, Asked>,
  route: Route,
  { plan: prepared, losses: ofBody, lossCount, body: outgoing }: Prepared<Asked>,
  next: Next,
): boolean {
  const { meter, answer } = exchange
  const plan = withInstead(prepared, route)
  const headers = lostHeaders(exchange, route)
  const losses = headers.length === 0 ? ofBody : [...ofBody, ...headers]
  meter.planned(route, plan, body.peek.stream, losses)
  meter.promptTokens = body.promptTokens
  meter.maxTokens = body.peek.maxTokens
  meter.asked = askedOf(unpricedTier(exchange, route), body.peek, route, plan, outgoing, match)
  answer.front.described = routeHeaders(route, plan, losses, headers.length + lossCount, meter.attempts)
  const lost = lossAgainst(next.policy, losses)
  if (lost === undefined) return true
  if (next.policy.onLoss !== 'reroute') throw refusedLoss(next.policy, lost)
  next.passOver(describeAgainst(next.policy, lost))
  return false
}

/** What the upstream is asked for that its price depends on. A translation may have left it out; `leftOut` is what was, of a relayed body. */
export function askedOf(
  leftOut: string | undefined,
  peek: Peek,
  route: Route,
  { mode }: Plan,
  outgoing: OutgoingBody,
  match: Match,
): AskedFacts {
  if (peek.terms === undefined && peek.searches !== true) return NOTHING_ASKED
  if (mode === 'relay') return leftOut === undefined ? peek : withoutTier(peek)
  const body = joinBody(outgoing)
  const json = parseJson(typeof body === 'string' ? body : decodeText(body))
  return isObject(json) ? route.protocol.relay.peek(json, match) : peek
}

function withoutTier({ terms = {}, searches }: AskedFacts): AskedFacts {
  const { tier: _, ...rest } = terms
  return { terms: rest, searches }
}

const NOTHING_ASKED: AskedFacts = {}

/** The reason for a translation, with the endpoints that would not have needed it. */
export function withInstead(plan: Plan, { instead }: Pick<Route, 'instead'>): Plan {
  if (instead === undefined || plan.mode === 'relay') return plan
  return { ...plan, because: `${plan.because}, and has no endpoint for ${instead.join(' and ')}` }
}
