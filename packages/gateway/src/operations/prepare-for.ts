import { workRouteOf, type BodyFacts, type Prepared } from '../bodies/request-work.ts'
import type { Route } from '../route.ts'
import type { Next } from '../routing/next.ts'
import type { OperationCall } from './operation.ts'

/** Writes the request for a route. If that is not possible, as with media that its upstream cannot take, another route may. */
export function prepareFor<Facts extends BodyFacts>(
  call: OperationCall<Facts>,
  route: Route,
  next: Next,
  use: (prepared: Prepared) => void,
): void {
  let prepared: Prepared | Promise<Prepared>
  try {
    prepared = call.work.prepare(workRouteOf(route, call.exchange.caller))
  } catch (thrown) {
    return next.unusable(thrown)
  }
  if (prepared instanceof Promise) void prepared.then(use, (thrown) => next.unusable(thrown)).catch(call.fail)
  else use(prepared)
}
