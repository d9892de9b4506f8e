import { asDragomanError, type DragomanError, type Match } from '@dragoman/core'
import type { BodyFacts, RequestWork } from '../bodies/request-work.ts'
import { hasChoice, onlyRoutes, orderWanted, wantedRoutes, type CallOrigin } from '../pipeline/choose-routes.ts'
import { servedRoutes, unserved } from '../pipeline/served-routes.ts'
import type { RoutedOperation } from '../pipeline/operation.ts'
import { unchanging } from '../health/routing.ts'
import type { Caller } from '../ports/ports.ts'
import type { Settings } from '../call/settings.ts'
import { describeRoute, explainRoute } from './explain-route.ts'
import type { ExplainedRoute, Explanation, SkippedRoute } from './explanation.ts'

/** Explains a call whose body has been read. Changes nothing, and calls no upstream. Throws what the call itself would fail with. */
export async function explainRoutes(
  given: Settings,
  { head, protocol, caller }: CallOrigin,
  match: Match,
  work: RequestWork,
  body: BodyFacts,
  operation: RoutedOperation,
): Promise<Explanation> {
  const settings = { ...given, routing: unchanging(given.routing) }
  const origin: CallOrigin = { head, protocol, caller: seenBy(caller) }
  const wanted = servedRoutes(operation, wantedRoutes(settings, origin, match, body), protocol, body)
  if (wanted.candidates.routes.length === 0) throw unserved(operation.name, body.peek.model)
  const { policy } = wanted
  const survey = await work.survey?.()
  const { rotation } = settings.routing
  const isChoice = hasChoice(wanted)
  const chosen = isChoice
    ? orderWanted(settings, origin, body, wanted, survey, (pool, routes) => rotation.next(pool, routes))
    : onlyRoutes(wanted)
  const sizes = { promptTokens: survey?.promptTokens ?? body.promptTokens ?? 0, maxTokens: survey?.maxTokens }
  const call = { settings, operation, origin, match, work, body, policy, sizes }
  const unstated = isChoice ? reasonOfType(policy.type) : 'the only route of the model'
  const routes: ExplainedRoute[] = []
  const skipped: SkippedRoute[] = chosen.skipped.map(describeRoute)
  let firstError: DragomanError | undefined
  let bytes = 0
  for (const { route, reasons } of chosen.routes) {
    const ranked = { route, reasons: statedReasons(route.isVariant, reasons, unstated) }
    const explained = await explainRoute(call, ranked).catch((thrown: unknown) => {
      const error = asDragomanError(thrown)
      firstError ??= error
      return { passedOver: describeRoute({ route, reasons: [error.message] }) }
    })
    if ('passedOver' in explained) {
      skipped.push(explained.passedOver)
      continue
    }
    bytes += explained.route.request.bytes
    // Many routes must not multiply a large request.
    routes.push(bytes > given.limits.body ? withoutBody(explained.route) : explained.route)
  }
  // The call itself ends with this error.
  if (routes.length === 0 && firstError !== undefined) throw firstError
  return { model: body.peek.model, protocol: protocol.name, stream: body.peek.stream, policy, routes, skipped }
}

function reasonOfType(type: Explanation['policy']['type']): string {
  return type === 'round_robin' ? 'routes that are equal take turns' : 'as listed'
}

/** The order of a list, and of the protocols of one route, gives no reasons of its own. */
function statedReasons(isVariant: boolean, reasons: readonly string[], unstated: string): readonly string[] {
  if (isVariant)
    return [...reasons, 'the same model in another protocol: only if the first cannot be reached or has no endpoint']
  return reasons.length === 0 ? [unstated] : reasons
}

function withoutBody(route: ExplainedRoute): ExplainedRoute {
  const { body: _, ...request } = route.request
  return { ...route, request }
}

/** A caller that may see the routes of all models is not limited to those that it may call. */
function seenBy(caller: Caller | undefined): Caller | undefined {
  return caller?.explainsAll === true ? { ...caller, models: undefined, providers: undefined } : caller
}
