import type { RoutingPreferences } from '@dragoman/core'
import type { Card } from '@dragoman/core/provider'

/** The values of a policy, for those who read one. */
export const ROUTE_TYPES = ['priority', 'round_robin', 'least_latency'] as const
export const FACTORS = ['cost', 'speed', 'quality'] as const
export const COMPLEXITIES = ['low', 'medium', 'high'] as const
export const ON_LOSS = ['allow', 'refuse', 'reroute'] as const

/** How the routes of a call are chosen and tried. An alias, a key or a call can set each member. */
export interface RoutePolicy extends Pick<RoutingPreferences, 'type' | 'factor' | 'complexity'> {
  /** If false, only the first provider may answer; true if absent. */
  readonly fallback?: boolean | undefined
  /**
   * What happens if a route would lose something of the request: 'allow' reports it, 'refuse' is an error before any call, 'reroute'
   * goes on to a route that loses nothing. 'allow' if absent.
   */
  readonly onLoss?: (typeof ON_LOSS)[number] | undefined
  /** The features that must not be lost; by default all. */
  readonly keep?: readonly string[] | undefined
  /** Milliseconds until an upstream must begin to answer; after that the next route is tried. The gateway's own limit if absent. */
  readonly headMs?: number | undefined
  /** Further attempts after all routes have failed; the gateway's own setting if absent. */
  readonly retries?: number | undefined
}

/** The policy of calls without one. */
export const NO_POLICY: RoutePolicy = {}

/** An alias with several routes, and how they are chosen. */
export interface AliasOptions extends RoutePolicy {
  /** Best first: the names of models, or routes with conditions, weights or facts. */
  readonly routes: readonly (string | AliasRoute)[]
}

export interface AliasRoute {
  readonly model: string
  /** Its share of the calls; 1 if absent. With weights, the routes take turns unless `type` says otherwise. */
  readonly weight?: number | undefined
  /** The calls that it is for; all if absent. */
  readonly when?: Conditions | undefined
  /** Facts about the model that are different on this route, such as its prices. */
  readonly card?: Partial<Omit<Card, 'name'>> | undefined
}

/** Conditions on a call. All members that are set must hold. */
export interface Conditions {
  /** Names of protocols. */
  readonly protocols?: readonly string[] | undefined
  readonly stream?: boolean | undefined
  readonly tools?: boolean | undefined
  readonly images?: boolean | undefined
  /** The estimated tokens of the prompt. */
  readonly promptTokens?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
}
