import type { Losses } from '../ir/loss.ts'
import type { CacheMark } from '../ir/part.ts'
import type { Encoding } from './protocol.ts'
import { maybe, object, only, optional } from '../lib/grammar/schema.ts'

/** The member that marks a block or a tool as the end of a cacheable prefix, in protocols that have it there. */
export const cacheControl = {
  cache_control: maybe(object({ type: only('ephemeral'), ttl: optional(only('5m', '1h')) })),
}

/** A cache mark in chat and messages. */
export type CacheControl = { type: 'ephemeral'; ttl?: '5m' | '1h' | undefined }

/** Adds the mark to a node that is being built. */
export function takeCache<const T extends object>(
  node: T,
  wire: CacheControl | null | undefined,
): T & { cache?: CacheMark } {
  return wire == null ? node : Object.assign(node, { cache: wire.ttl === undefined ? {} : { ttl: wire.ttl } })
}

/** A mark on the wire. The losses are those of the marked node. */
export function encodeCache(cache: CacheMark, losses: Losses, { dialect }: Encoding): CacheControl {
  if (cache.ttl === undefined || dialect?.['ttl'] !== false) return { type: 'ephemeral', ...cache }
  losses.dropped(['cache', 'ttl'], 'this upstream decides how long it caches')
  return { type: 'ephemeral' }
}
