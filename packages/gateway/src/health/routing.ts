import { createConversations, type Conversations } from './conversations.ts'
import { createHealth, type Health, type HealthOptions } from './health.ts'
import { createQueues, type QueueLimits, type Queues } from './queues.ts'
import { createRotation, type Rotation } from './rotation.ts'
import type { Clock } from '@dragoman/core/provider'
import { systemClock } from '../ports/ports.ts'
import { createAbsences, type Absences } from './absences.ts'

/** What is known about routes: which work, how fast they are, whose turn it is, where each conversation is, and which endpoints do not exist. */
export interface RouteMemory {
  readonly health: Health
  readonly rotation: Rotation
  readonly conversations: Conversations
  readonly absences: Absences
}

/** How a gateway tries routes. */
export interface Routing extends RouteMemory {
  readonly queues: Queues
  readonly retries: number
  /** From 0 to 1, for the time between attempts. */
  readonly random: () => number
}

export interface RoutingOptions {
  /** Further attempts after all routes of a call have failed; 0 if absent, because the official SDKs try again themselves. */
  readonly retries?: number | undefined
  /** The number of calls that a provider gets at once, and of those that wait for it, by the name of the provider. */
  readonly queues?: { readonly [provider: string]: QueueLimits } | undefined
  readonly breaker?: Partial<HealthOptions> | undefined
  /** Shared by gateways that follow one another; its own if absent. */
  readonly memory?: RouteMemory | undefined
  /** From 0 to 1, for the time between attempts; `Math.random` if absent. */
  readonly random?: (() => number) | undefined
}

/** The same routing for calls that are not made: they change nothing. */
export function unchanging(routing: Routing): Routing {
  const { rotation, conversations } = routing
  return {
    ...routing,
    rotation: { ...rotation, next: (pool, routes) => rotation.peek(pool, routes) },
    conversations: { ...conversations, recall: (caller, identity) => conversations.peek(caller, identity) },
  }
}

export function createRouteMemory({
  clock = systemClock,
  breaker,
}: Pick<RoutingOptions, 'breaker'> & { readonly clock?: Clock | undefined } = {}): RouteMemory {
  return {
    health: createHealth(clock, breaker),
    rotation: createRotation(),
    conversations: createConversations(clock),
    absences: createAbsences(clock),
  }
}

export function createRouting(clock: Clock, options: RoutingOptions): Routing {
  const { retries = 0, queues = {}, breaker, memory, random = Math.random } = options
  return {
    ...(memory ?? createRouteMemory({ clock, breaker })),
    queues: createQueues(clock, new Map(Object.entries(queues))),
    retries,
    random,
  }
}
