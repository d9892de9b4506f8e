import type { BodyFacts, Prepared } from '../bodies/request-work.ts'
import { routeHeaders } from '../answer-head.ts'
import { lostHeaders } from '../modes/send.ts'
import type { Plan } from '../plan.ts'
import type { Route } from '../route.ts'
import { describeAgainst, lossAgainst, refusedLoss } from '../routing/fidelity.ts'
import type { Next } from '../routing/next.ts'
import type { OperationCall } from './operation.ts'

/**
 * Records the plan for a route and its losses. Returns false if the losses are against the policy of the call and another route follows;
 * throws if none may.
 */
export function acceptPlan<Facts extends BodyFacts>(
  { exchange, body }: OperationCall<Facts>,
  route: Route,
  { plan: prepared, losses: ofBody, lossCount }: Prepared,
  next: Next,
): boolean {
  const { meter, answer } = exchange
  const plan = withInstead(prepared, route)
  const headers = lostHeaders(exchange, route)
  const losses = headers.length === 0 ? ofBody : [...ofBody, ...headers]
  meter.planned(route, plan, body.peek.stream, losses)
  meter.promptTokens = body.promptTokens
  meter.maxTokens = body.peek.maxTokens
  answer.front.described = routeHeaders(route, plan, losses, headers.length + lossCount, meter.attempts)
  const lost = lossAgainst(next.policy, losses)
  if (lost === undefined) return true
  if (next.policy.onLoss !== 'reroute') throw refusedLoss(next.policy, lost)
  next.passOver(describeAgainst(next.policy, lost))
  return false
}

/** The reason for a translation, with the endpoints that would not have needed it. */
export function withInstead(plan: Plan, { instead }: Pick<Route, 'instead'>): Plan {
  if (instead === undefined || plan.mode === 'relay') return plan
  return { ...plan, because: `${plan.because}, and has no endpoint for ${instead.join(' and ')}` }
}
