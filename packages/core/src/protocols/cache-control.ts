import type { Losses } from '../ir/loss.ts'
import type { CacheMark } from '../ir/part.ts'
import type { Encoding } from './protocol.ts'
import { maybe, object, only, optional } from '../lib/grammar/schema.ts'

/** The member by which a block or a tool ends a cacheable prefix, in the protocols that mark it there. */
export const cacheControl = {
  cache_control: maybe(object({ type: only('ephemeral'), ttl: optional(only('5m', '1h')) })),
}

/** A cache mark as chat and messages write it. */
export type CacheControl = { type: 'ephemeral'; ttl?: '5m' | '1h' | undefined }

/** Marks a node that is being made. */
export function takeCache<const T extends object>(
  node: T,
  wire: CacheControl | null | undefined,
): T & { cache?: CacheMark } {
  return wire == null ? node : Object.assign(node, { cache: wire.ttl === undefined ? {} : { ttl: wire.ttl } })
}

/** A mark as the wire has it. The losses are those of the node that is marked. */
export function encodeCache(cache: CacheMark, losses: Losses, { dialect }: Encoding): CacheControl {
  if (cache.ttl === undefined || dialect?.['ttl'] !== false) return { type: 'ephemeral', ...cache }
  losses.dropped(['cache', 'ttl'], 'this upstream keeps its caches as long as it likes')
  return { type: 'ephemeral' }
}
