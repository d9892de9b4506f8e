import type { Loss, Protocol, Target } from '@dragoman/core'
import type { Call, Deadlines, Fields, Outbound, Transport } from '@dragoman/core/provider'
import type { Exchange } from '../call/exchange.ts'
import type { Route } from '../models/route.ts'
import { redactOf, upstreamName } from '../models/route-facts.ts'
import type { Settings } from '../call/settings.ts'
import type { Next } from '../routing/next.ts'
import { runHooks } from '../stages/hooks.ts'
import { unpricedError } from './unpriced.ts'
import { dispatch } from './dispatch.ts'
import type { Handler } from './handler.ts'
import { watchCalls } from './watch-calls.ts'

/** A body that is ready for the upstream of a route. */
export interface Sending {
  readonly operation: string
  /** The path of the upstream. Absent: that of the operation. */
  readonly target?: Target | undefined
  readonly body: Outbound['body']
  readonly stream: boolean
  /** The upstream is asked for a whole answer, of which a stream is made. */
  readonly isWhole?: boolean | undefined
  /** Creates the handling of the answer. */
  readonly createHandler: (call: Call) => Handler
  /** The number of calls that a composed answer takes; 1 if absent. */
  readonly calls?: number | undefined
  /** Makes the answer out of several calls, or of none. Absent: it is the answer of one call. */
  readonly compose?: Compose | undefined
}

/** A transport that makes one answer out of calls of its own. */
export type Compose = (parts: CallParts) => Transport

/** What such calls are made of. */
export interface CallParts {
  /** All of its calls go through it, because each one that upstreams receive is charged. */
  readonly transport: Transport
  /** Headers of stages. */
  readonly headers: Fields
  readonly deadlines: Deadlines
  /** The call with another body. */
  readonly call: (body: Outbound['body']) => Call
}

/**
 * Runs `beforeCall` of the stages, then calls the upstream of a route. A route without the price that the call needs is not called. `fail`
 * ends the call with an error.
 */
export function send(
  settings: Settings,
  exchange: Exchange,
  route: Route,
  sending: Sending,
  next: Next,
  fail: (thrown: unknown) => void,
): void {
  const { view, meter } = exchange
  meter.share = undefined
  const unpriced = meter.needsPrice ? unpricedError(settings, meter) : undefined
  if (unpriced !== undefined) return next.unusable(unpriced)
  const { beforeCall, onAttempt } = settings.hooks
  const isWatched = beforeCall.length > 0 || onAttempt.length > 0
  if (view === undefined || !isWatched) return callUpstream(settings, exchange, route, sending, next, NO_HEADERS)
  const { id, provider, protocol } = route
  const mode = meter.current?.plan.mode ?? 'relay'
  view.route = { provider: provider.name, model: id, upstreamModel: upstreamName(route), protocol: protocol.name, mode }
  view.upstreamHeaders = NO_HEADERS
  const call = (): void => callUpstream(settings, exchange, route, sending, next, view.upstreamHeaders)
  runHooks(beforeCall, view, exchange, call, fail)
}

const NO_HEADERS: Fields = {}

function callUpstream(
  settings: Settings,
  exchange: Exchange,
  route: Route,
  sending: Sending,
  next: Next,
  headers: Fields,
): void {
  const { protocol, matched } = exchange
  const { provider } = route
  const { stream, createHandler, compose } = sending
  const watched = compose === undefined ? undefined : watchCalls(provider.transport ?? settings.transport)
  const transport = watched?.transport ?? provider.transport ?? settings.transport
  if (watched !== undefined) exchange.meter.share = () => Math.min(1, watched.received() / (sending.calls ?? 1))
  const deadlines = deadlinesOf(settings, next)
  const callWith = (body: Outbound['body']): Call => upstreamCall(deadlines, exchange, route, sending, body, headers)
  dispatch({
    settings,
    exchange,
    transport: compose?.({ transport, headers, deadlines, call: callWith }) ?? transport,
    redact: redactOf(route),
    handler: createHandler(compose === undefined ? callWith(sending.body) : addressOf(route, deadlines)),
    stream,
    keepAlive: protocol.stream.keepAlive(matched?.match.framing),
    earlyKeepAlive: protocol.stream.earlyKeepAlive,
    route,
    next,
  })
}

function deadlinesOf({ deadlines }: Settings, { policy: { headMs } }: Next): Deadlines {
  return headMs === undefined ? deadlines : { ...deadlines, head: Math.min(headMs, deadlines.head) }
}

function upstreamCall(
  deadlines: Deadlines,
  exchange: Exchange,
  route: Route,
  { operation, target, stream, isWhole }: Sending,
  body: Outbound['body'],
  added: Fields,
): Call {
  const isStream = stream && isWhole !== true
  const outbound = outboundOf(deadlines, exchange, route, { body, stream: isStream }, added)
  const at = target ?? targetOf(route, { operation, stream: isStream })
  return route.provider.call(route.protocol.name, at, outbound)
}

/** Stands for calls that are not made yet. It has the address of the upstream, for the log, and no key. */
function addressOf({ provider, protocol }: Route, deadlines: Deadlines): Call {
  const { url } = provider.call(protocol.name, ROOT, { headers: {}, deadlines, key: 0 })
  return { url, method: 'GET', headers: {}, deadlines }
}

/** The address of an upstream whose driver chooses the paths. */
export const ROOT: Target = { path: '/', headers: {}, method: 'GET' }

export function targetOf(route: Route, { operation, stream }: Pick<Sending, 'operation' | 'stream'>): Target {
  return route.protocol.http.target(operation, upstreamName(route), stream)
}

/** What a provider gets for an upstream call. `added` are headers of stages. */
export function outboundOf(
  deadlines: Deadlines,
  { head, protocol: inbound }: Pick<Exchange, 'head' | 'protocol'>,
  { protocol, key }: Route,
  { body, stream }: Pick<Sending, 'body' | 'stream'>,
  added: Fields,
): Outbound {
  const forwarded = protocol === inbound ? inbound.http.forward(head) : {}
  return { headers: { ...ownHeaders(protocol, stream), ...forwarded, ...added }, body, deadlines, key }
}

/** The headers of the caller that an upstream of its protocol would get, and that one of another protocol does not. */
export function lostHeaders({ head, protocol }: Pick<Exchange, 'head' | 'protocol'>, route: Route): readonly Loss[] {
  if (route.protocol === protocol) return NO_LOSSES
  const names = Object.keys(protocol.http.forward(head))
  return names.map((name) => ({ kind: 'dropped', path: [name], reason: `not supported by ${route.protocol.name}` }))
}

const NO_LOSSES: readonly Loss[] = []

function ownHeaders(protocol: Protocol, stream: boolean): Fields {
  return {
    accept: stream ? protocol.stream.contentType(undefined) : 'application/json',
    // Compressed streams arrive late and in large pieces.
    'accept-encoding': 'identity',
    'user-agent': 'dragoman',
  }
}
