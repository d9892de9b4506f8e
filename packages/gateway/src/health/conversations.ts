import type { Clock } from '@dragoman/core/provider'
import { createRecent } from './recent.ts'

/** Remembers the route of each conversation, so that its next call finds the prompt in the upstream's cache. */
export interface Conversations {
  /** The id of the route. */
  recall(caller: string | undefined, identity: string): string | undefined
  /** The same, but does not count as a call. */
  peek(caller: string | undefined, identity: string): string | undefined
  remember(caller: string | undefined, identity: string, routeId: string): void
}

export interface ConversationsOptions {
  /** The number of conversations that are remembered at most. */
  readonly most: number
  /** The time without a call after which a conversation is forgotten. */
  readonly idleMs: number
}

const DEFAULTS: ConversationsOptions = { most: 10_000, idleMs: 3_600_000 }

/** A conversation with a longer identity is not remembered: callers choose identities, and memory is limited. */
const LONGEST_IDENTITY = 512

export function createConversations(
  clock: Pick<Clock, 'now'>,
  options: Partial<ConversationsOptions> = {},
): Conversations {
  const { most, idleMs } = { ...DEFAULTS, ...options }
  const conversations = createRecent<{ routeId: string; usedAt: number }>(most)
  return {
    recall(caller, identity) {
      const found = conversations.get(keyOf(caller, identity))
      const now = clock.now()
      if (found === undefined || now - found.usedAt >= idleMs) return undefined
      found.usedAt = now
      return found.routeId
    },
    peek(caller, identity) {
      const found = conversations.peek(keyOf(caller, identity))
      return found === undefined || clock.now() - found.usedAt >= idleMs ? undefined : found.routeId
    },
    remember(caller, identity, routeId) {
      if (identity.length > LONGEST_IDENTITY) return
      const key = keyOf(caller, identity)
      const usedAt = clock.now()
      const known = conversations.get(key)
      if (known === undefined) conversations.set(key, { routeId, usedAt })
      else {
        known.routeId = routeId
        known.usedAt = usedAt
      }
    },
  }
}

/** The length keeps callers apart: no identity can look like that of another caller. */
function keyOf(caller: string | undefined, identity: string): string {
  return caller === undefined ? `-${identity}` : `${caller.length}:${caller}${identity}`
}
