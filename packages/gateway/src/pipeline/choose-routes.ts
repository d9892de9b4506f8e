import { ownerIdOf } from '../callers/admit.ts'
import type { Match, Protocol } from '@dragoman/core'
import type { Exchange } from '../call/exchange.ts'
import type { BodyFacts } from '../bodies/request-work.ts'
import type { PinnedRoute, Route } from '../models/route.ts'
import type { Caller } from '../ports/ports.ts'
import type { Settings } from '../call/settings.ts'
import type { Candidate, Candidates } from '../routing/candidates.ts'
import { checkPreferences } from '../routing/check-preferences.ts'
import { identityOf } from '../metering/conversation.ts'
import { pinnedCandidate } from '../routing/pinned-candidate.ts'
import { NO_POLICY } from '../ports/policy.ts'
import { orderRoutes, type Choice } from '../routing/order.ts'
import type { Survey } from '../bodies/survey.ts'
import { combine, NO_PREFERENCES, preferencesOf, type CallPolicy } from '../routing/preferences.ts'

/** The routes of a call, and how they are tried. */
export interface Chosen extends Choice {
  readonly policy: CallPolicy
  /** What the route is remembered under; undefined if there is nothing to choose. */
  readonly conversation?: string | undefined
}

/** The routes that may serve a call, with its preferences. Throws if a preference is wrong. */
export interface Wanted {
  readonly candidates: Candidates
  readonly policy: CallPolicy
}

/** Where a call comes from: its head, its protocol and its caller. */
export type CallOrigin = Pick<Exchange, 'head' | 'protocol' | 'caller'>

export function wantedRoutes(settings: Settings, exchange: CallOrigin, match: Match, body: BodyFacts): Wanted {
  const { head, protocol, caller } = exchange
  const { models, routing } = settings
  if (body.pinned !== undefined) return pinnedRoute(models, body.pinned, protocol, caller)
  const { preferences, fields } = preferencesOf(head, protocol, body.peek)
  checkPreferences(preferences, fields, models.providers, body.operation === 'embedding')
  const name = { model: body.peek.model, withoutPublisher: match.withoutPublisher }
  // Usually no endpoint is absent, and the routes of most calls are known for their model.
  const isAbsent = routing.absences.isAny()
    ? (route: Route): boolean => routing.absences.has(route, match.operation)
    : undefined
  const candidates = models.candidates(name, preferences, protocol, caller, isAbsent)
  return { candidates, policy: combine(preferences, candidates.policy, caller) }
}

/** Preferences can neither move nor refuse a call that is pinned to a route: how long it may take is all that remains of a policy. */
function pinnedRoute(
  models: Settings['models'],
  pinned: PinnedRoute,
  protocol: Protocol,
  caller: Caller | undefined,
): Wanted {
  const route = pinnedCandidate(models, pinned, protocol, caller)
  const { headMs, retries } = caller?.routing ?? NO_POLICY
  return { candidates: { pool: route.id, routes: [route], policy: NO_POLICY }, policy: { headMs, retries } }
}

/** Whether the order of the routes depends on the call: there are several, or one that is not for every call. */
export function hasChoice({ candidates: { routes } }: Wanted): boolean {
  const [first] = routes
  return routes.some(({ id, when }) => id !== first?.id || when !== undefined)
}

/** The only model at the only provider, in the caller's protocol first. */
export function onlyRoutes({ candidates, policy }: Wanted): Chosen {
  const known = policy === NO_PREFERENCES ? CHOSEN.get(candidates) : undefined
  if (known !== undefined) return known
  const routes = candidates.routes.map((route) => ({ route, reasons: NO_REASONS }))
  const chosen: Chosen = { routes, skipped: [], policy }
  if (policy === NO_PREFERENCES) CHOSEN.set(candidates, chosen)
  return chosen
}

/** For candidates that are kept, so that a plain call allocates nothing here. */
const CHOSEN = new WeakMap<Candidates, Chosen>()

const NO_REASONS: readonly string[] = []

/** Orders the routes. `turnOf` returns the route whose turn it is. */
export function orderWanted(
  { routing }: Settings,
  { head, protocol, caller }: CallOrigin,
  { peek }: BodyFacts,
  { candidates, policy }: Wanted,
  survey: Survey | undefined,
  turnOf: (pool: string, routes: readonly Candidate[]) => string,
): Chosen {
  const identity = identityOf(head, peek, survey)
  const conversation = identity === undefined ? undefined : `${candidates.pool}\n${identity}`
  const isRunning = conversation !== undefined && survey?.begins !== true
  const remembered = isRunning ? routing.conversations.recall(caller?.id, conversation) : undefined
  const isCandidate = candidates.routes.some(({ id }) => id === remembered)
  const choice = orderRoutes({
    candidates,
    preferences: policy,
    inbound: protocol,
    stream: peek.stream,
    survey,
    remembered: isCandidate ? remembered : undefined,
    health: routing.health,
    caller: ownerIdOf(caller),
    turnOf,
  })
  // A call without a survey is not a turn of a conversation, but a count of its tokens.
  return { ...choice, policy, conversation: survey === undefined ? undefined : conversation }
}
