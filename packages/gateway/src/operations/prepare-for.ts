import { workRouteOf, type BodyFacts, type Prepared } from '../bodies/request-work.ts'
import { downloadLinks } from '../downloads/download-links.ts'
import type { Route } from '../route.ts'
import { unpricedTier } from '../unpriced.ts'
import type { Next } from '../routing/next.ts'
import type { OperationCall } from './operation.ts'

/**
 * Writes the request for a route, with the files that its upstream does not download itself. If that is not possible, as with media
 * that its upstream cannot take, another route may.
 */
export function prepareFor<Facts extends BodyFacts>(
  call: OperationCall<Facts>,
  route: Route,
  next: Next,
  use: (prepared: Prepared) => void,
): void {
  const { exchange } = call
  const prepare = () => call.work.prepare(workRouteOf(route, exchange.caller, unpricedTier(exchange, route)))
  let prepared: Prepared | Promise<Prepared>
  try {
    prepared = prepare()
  } catch (thrown) {
    return next.unusable(thrown)
  }
  if (!(prepared instanceof Promise) && prepared.missing === undefined) return use(prepared)
  const failed = (thrown: unknown): void => {
    if (!call.exchange.answer.over) next.unusable(thrown)
  }
  void complete(call, prepared, prepare).then(use, failed).catch(call.fail)
}

/** The request with all of its files. */
async function complete<Facts extends BodyFacts>(
  { settings, exchange, work }: OperationCall<Facts>,
  prepared: Prepared | Promise<Prepared>,
  prepare: () => Prepared | Promise<Prepared>,
): Promise<Prepared> {
  const first = await prepared
  if (first.missing === undefined || exchange.answer.over) return first
  await work.supply?.(await downloadLinks(settings, exchange, first.missing))
  return exchange.answer.over ? first : prepare()
}
