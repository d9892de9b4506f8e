import { keep, type Node } from '../ir/extras.ts'
import type { Losses } from '../ir/loss.ts'
import type { CacheMark } from '../ir/part.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Encoding } from './context.ts'
import { maybe, object, openWords, optional } from '../lib/grammar/schema.ts'

/** The member that marks a block or a tool as the end of a cacheable prefix, in protocols that have it there. */
export const cacheControl = {
  cache_control: maybe(object({ type: openWords('ephemeral'), ttl: optional(openWords('5m', '1h')) })),
}

/** A cache mark in chat and messages. */
export type CacheControl = { type: 'ephemeral'; ttl?: '5m' | '1h' | undefined }

/** Adds its mark and its unknown members to a node that is being built. A mark of an unknown kind is one of these. */
export function keepMarked<const T extends object>(
  node: T,
  protocol: string,
  { cache_control }: { readonly cache_control?: object | null | undefined },
  rest: JsonObject | undefined,
): T & Node & { cache?: CacheMark } {
  if (cache_control == null) return keep(node, protocol, rest)
  const cache = readMark(cache_control)
  if (cache !== undefined) return keep(Object.assign(node, { cache }), protocol, rest)
  return keep(node, protocol, { ...rest, cache_control: cache_control as JsonObject }) // parsed JSON
}

/** Undefined for a mark of an unknown kind. */
export function readMark({ type, ttl }: { readonly type?: unknown; readonly ttl?: unknown }): CacheMark | undefined {
  if (type !== 'ephemeral') return undefined
  return ttl === undefined ? {} : ttl === '5m' || ttl === '1h' ? { ttl } : undefined
}

/** A mark on the wire. The losses are those of the marked node. */
export function encodeCache(cache: CacheMark, losses: Losses, { dialect }: Encoding): CacheControl {
  if (cache.ttl === undefined || dialect?.['ttl'] !== false) return { type: 'ephemeral', ...cache }
  losses.dropped(['cache', 'ttl'], 'this upstream decides how long it caches')
  return { type: 'ephemeral' }
}
