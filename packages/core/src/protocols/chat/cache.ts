import type { CacheMark } from '../../ir/part.ts'
import { encodeCache } from '../cache-control.ts'
import type { EncodeContext } from '../protocol.ts'
import type { WireCacheControl } from './schema.ts'

/** Marks a wire node that is being made: an extension that some upstreams of this protocol take. The losses stand at the node. */
export function mark<T extends { cache_control?: WireCacheControl | null | undefined }>(
  wire: T,
  node: { readonly cache?: CacheMark },
  context: EncodeContext,
): T {
  if (node.cache === undefined) return wire
  if (context.toward === 'upstream' && context.dialect?.['cache'] === true)
    wire.cache_control = encodeCache(node.cache, context)
  else context.losses.dropped(['cache'], 'this upstream has no cache marks')
  return wire
}
