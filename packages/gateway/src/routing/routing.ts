import { createConversations, type Conversations } from '../health/conversations.ts'
import { createHealth, type Health, type HealthOptions } from '../health/health.ts'
import { createQueues, type QueueLimits, type Queues } from '../health/queues.ts'
import { createRotation, type Rotation } from '../health/rotation.ts'
import type { Clock } from '../ports.ts'

/** What a gateway remembers about its routes. */
export interface Routing {
  readonly health: Health
  readonly rotation: Rotation
  readonly conversations: Conversations
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
  /** From 0 to 1, for the time between attempts; `Math.random` if absent. */
  readonly random?: (() => number) | undefined
}

export function createRouting(
  clock: Clock,
  { retries = 0, queues = {}, breaker, random = Math.random }: RoutingOptions,
): Routing {
  return {
    health: createHealth(clock, breaker),
    rotation: createRotation(),
    conversations: createConversations(clock),
    queues: createQueues(clock, new Map(Object.entries(queues))),
    retries,
    random,
  }
}
