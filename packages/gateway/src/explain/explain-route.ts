import { asDragomanError, lossCode, type Match, type RequestLoss } from '@dragoman/core'
import type { Cost } from '@dragoman/core/provider'
import { workRouteOf, type BodyFacts, type RequestWork } from '../bodies/request-work.ts'
import { clip, clipLossPath } from '../ports/clip.ts'
import { lostHeaders, outboundOf, ROOT, targetOf } from '../modes/send.ts'
import { askedOf, withInstead } from '../pipeline/accept-plan.ts'
import { dollars } from '../metering/dollars.ts'
import { upstreamName } from '../models/route-facts.ts'
import type { CallOrigin } from '../pipeline/choose-routes.ts'
import type { RoutedOperation } from '../pipeline/operation.ts'
import { describeAgainst, lossAgainst, refusedLoss } from '../routing/fidelity.ts'
import { costOfUse } from '../routing/estimate.ts'
import type { Ranked } from '../routing/order.ts'
import type { CallPolicy } from '../routing/preferences.ts'
import type { Settings } from '../call/settings.ts'
import type { ExplainedError, ExplainedLoss, ExplainedPrice, ExplainedRoute, SkippedRoute } from './explanation.ts'
import { losesCache, lostCacheOf } from './lost-cache.ts'
import { maskedRequest } from './masked-request.ts'

/** The facts of a call that the explanation of each route needs. */
export interface ExplainedCall {
  readonly settings: Settings
  readonly operation: RoutedOperation
  readonly origin: CallOrigin
  readonly match: Match
  readonly work: RequestWork
  readonly body: BodyFacts
  readonly policy: CallPolicy
  /** The estimated tokens of the prompt, and the caller's limit of the answer. */
  readonly sizes: { readonly promptTokens: number; readonly maxTokens: number | undefined }
}

/** Explains a route, or why it is passed over. Throws if the request cannot be written for it. */
export async function explainRoute(
  { settings, operation, origin, match, work, body, policy, sizes }: ExplainedCall,
  ranked: Ranked,
): Promise<{ readonly route: ExplainedRoute } | { readonly passedOver: SkippedRoute }> {
  const { route } = ranked
  const prepared = await work.prepare(workRouteOf(route, origin.caller))
  const { body: sent, losses: ofBody, lossCount, operation: called = match.operation, isDriven } = prepared
  const plan = withInstead(prepared.plan, route)
  const ofHeaders = lostHeaders(origin, route)
  const losses = [...ofBody, ...ofHeaders]
  const against = lossAgainst(policy, losses)
  if (against !== undefined && policy.onLoss === 'reroute')
    return { passedOver: describeRoute({ route, reasons: [describeAgainst(policy, against)] }) }
  const sending = { operation: called, body: sent, stream: body.peek.stream }
  const outbound = outboundOf(settings.deadlines, origin, route, sending, {})
  const cost = costOfUse(route.card, {
    ...sizes,
    bill: operation.bill?.(route, prepared, body),
    asked: askedOf(undefined, body.peek, route, plan, sent, match),
    needsPrice: false,
  })
  const request = losesCache(losses) ? await work.decode?.() : undefined
  const lostCache = request === undefined ? undefined : lostCacheOf(route.card, request, losses, sizes.promptTokens)
  return {
    route: {
      ...describeRoute(ranked),
      ...(against === undefined ? {} : { refused: describeError(refusedLoss(policy, against)) }),
      mode: plan.mode,
      ...(plan.mode === 'translate' ? { because: clip(plan.because, LONGEST_TEXT) } : {}),
      request:
        isDriven === true
          ? maskedRequest(route, ROOT, { ...outbound, body: undefined })
          : maskedRequest(route, targetOf(route, sending), outbound),
      losses: losses.slice(0, LISTED_LOSSES).map(describeEach),
      lossCount: lossCount + ofHeaders.length,
      ...(cost === undefined ? {} : { price: describePrice(cost) }),
      ...(lostCache === undefined ? {} : { lostCache }),
    },
  }
}

const LISTED_LOSSES = 500
/** In bytes. Paths contain names that the caller chose, of any length. */
const LONGEST_TEXT = 512

export function describeRoute({ route, reasons }: Ranked): SkippedRoute {
  const { id, provider, protocol } = route
  return {
    provider: provider.name,
    model: id,
    upstreamModel: upstreamName(route),
    protocol: protocol.name,
    reasons: reasons.map((reason) => clip(reason, LONGEST_TEXT * 2)),
  }
}

function describeError(thrown: unknown): ExplainedError {
  const { kind, message } = asDragomanError(thrown)
  return { kind, message: clip(message, LONGEST_TEXT * 4) }
}

function describeEach(loss: RequestLoss): ExplainedLoss {
  const text = `${loss.kind} ${clipLossPath(loss, LONGEST_TEXT)}: ${clip(loss.reason, LONGEST_TEXT)}`
  return { code: lossCode(loss), text, features: loss.features ?? [] }
}

function describePrice({ total, items, unpriced, version }: Cost): ExplainedPrice {
  return {
    nanos: total,
    dollars: dollars(total),
    items,
    ...(unpriced === undefined ? {} : { unpriced }),
    ...(version === undefined ? {} : { version }),
  }
}
