import { workRouteOf, type BodyFacts, type Prepared } from '../bodies/request-work.ts'
import { downloadLinks } from './download-links.ts'
import { send } from '../modes/send.ts'
import type { Route } from '../models/route.ts'
import type { Next } from '../routing/next.ts'
import { unpricedTier } from '../modes/unpriced.ts'
import { acceptPlan } from './accept-plan.ts'
import type { OperationCall, Recovery, RoutedOperation } from './operation.ts'

/**
 * Prepares the request of a call for a route, and sends it. If the request cannot be written, as with media that the upstream cannot take,
 * another route may.
 */
export function askRoute<Facts extends BodyFacts, Asked>(
  operation: RoutedOperation<Facts, Asked>,
  call: OperationCall<Facts, Asked>,
  route: Route,
  next: Next,
): void {
  const { exchange, work } = call
  const after = operation.recover === undefined ? next : withRecovery(operation, call, route, next)
  const prepare = () => work.prepare(workRouteOf(route, exchange.caller, unpricedTier(exchange, route)))
  let prepared: Prepared<Asked> | Promise<Prepared<Asked>>
  try {
    prepared = prepare()
  } catch (thrown) {
    return next.unusable(thrown)
  }
  if (!(prepared instanceof Promise) && prepared.missing === undefined)
    return sendPrepared(operation, call, route, prepared, after)
  const failed = (thrown: unknown): void => {
    if (!exchange.answer.over) next.unusable(thrown)
  }
  void complete(call, prepared, prepare)
    .then((whole) => sendPrepared(operation, call, route, whole, after), failed)
    .catch(call.fail)
}

/** Sends a request that is ready, unless its losses are against the policy of the call. */
function sendPrepared<Facts extends BodyFacts, Asked>(
  operation: RoutedOperation<Facts, Asked>,
  call: OperationCall<Facts, Asked>,
  route: Route,
  prepared: Prepared<Asked>,
  next: Next,
): void {
  const { settings, exchange, body, fail } = call
  if (exchange.answer.over || !acceptPlan(call, route, prepared, next)) return
  exchange.meter.bill = operation.bill?.(route, prepared, body)
  send(settings, exchange, route, operation.send(call, route, prepared), next, fail)
}

/** The operation may recover on the same route before the next route is tried. */
function withRecovery<Facts extends BodyFacts, Asked>(
  operation: RoutedOperation<Facts, Asked>,
  call: OperationCall<Facts, Asked>,
  route: Route,
  next: Next,
): Next {
  const { policy } = next
  const send: Recovery<Asked>['send'] = (prepared) => sendPrepared(operation, call, route, prepared, next)
  const failed: Next['failed'] = (reason) =>
    operation.recover?.(call, route, reason, { policy, send }) === true || next.failed(reason)
  return { ...next, failed }
}

/** The request with all files that its upstream does not download itself. */
async function complete<Facts extends BodyFacts, Asked>(
  { settings, exchange, work }: OperationCall<Facts, Asked>,
  prepared: Prepared<Asked> | Promise<Prepared<Asked>>,
  prepare: () => Prepared<Asked> | Promise<Prepared<Asked>>,
): Promise<Prepared<Asked>> {
  const first = await prepared
  if (first.missing === undefined || exchange.answer.over) return first
  await work.supply?.(await downloadLinks(settings, exchange, first.missing))
  return exchange.answer.over ? first : prepare()
}
