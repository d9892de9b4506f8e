import type { Losses } from '../../ir/loss.ts'
import type { CacheMark } from '../../ir/part.ts'
import { encodeCache } from '../cache-control.ts'
import type { Encoding } from '../protocol.ts'
import { takesMarks } from './members.ts'
import type { WireCacheControl } from './schema.ts'

/** Adds a cache mark to a wire node that is being built: an extension of some chat upstreams. */
export function mark<T extends { cache_control?: WireCacheControl | null | undefined }>(
  wire: T,
  node: { readonly cache?: CacheMark },
  losses: Losses,
  context: Encoding,
): T {
  if (node.cache !== undefined && takesMarks(context)) wire.cache_control = encodeCache(node.cache, losses, context)
  return wire
}
