import type { Losses } from '../../ir/loss.ts'
import type { CacheMark } from '../../ir/part.ts'
import { encodeCache } from '../cache-control.ts'
import type { Encoding } from '../protocol.ts'
import { takesMarks } from './members.ts'
import type { WireCacheControl } from './schema.ts'

/** Marks a wire node that is being made: an extension that some upstreams of this protocol take. */
export function mark<T extends { cache_control?: WireCacheControl | null | undefined }>(
  wire: T,
  node: { readonly cache?: CacheMark },
  losses: Losses,
  context: Encoding,
): T {
  if (node.cache !== undefined && takesMarks(context)) wire.cache_control = encodeCache(node.cache, losses, context)
  return wire
}
