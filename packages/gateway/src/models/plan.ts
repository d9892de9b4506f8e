import type { JsonObject, Limits, Match, Protocol } from '@dragoman/core'
import { dialectOf, quirkObstacle } from '@dragoman/core/provider'
import type { Route } from './route.ts'

type Target = Pick<Route, 'id' | 'card' | 'protocol'>

export type Plan =
  | { readonly mode: 'relay' }
  | {
      readonly mode: 'translate'
      /** Why the request cannot be relayed, for the log. */
      readonly because: string
    }

/** Relay if only named top-level members of the request have to change; otherwise translate, with the reason. */
export function plan(inbound: Protocol, match: Match, body: JsonObject, route: Target): Plan {
  const because = obstacle(inbound, match, body, route)
  return because === undefined ? { mode: 'relay' } : { mode: 'translate', because }
}

function obstacle(inbound: Protocol, match: Match, body: JsonObject, route: Target): string | undefined {
  if (route.protocol !== inbound) return `${route.id} speaks ${route.protocol.name}`
  if (route.card.dialects?.[inbound.name] !== undefined) return `${route.id} has a dialect of ${inbound.name}`
  const { stream } = inbound
  if (stream.contentType(match.framing) !== stream.contentType(undefined))
    return `the stream is framed as ${match.framing}`
  const quirks = route.card.quirks?.[inbound.name]
  return (
    inbound.relay.obstacle(body, limitsOf(route), dialectOf(route.card, inbound.name)) ??
    (quirks === undefined ? undefined : quirkObstacle(inbound, quirks, body, match))
  )
}

/** The limits of a route's model, as encoders need them. */
export function limitsOf({ card }: Pick<Route, 'card'>): Limits {
  return { maxTokens: card.maxOutput, reasoning: card.reasoning }
}
