import type { CacheMark } from '../../ir/part.ts'
import type { EncodeContext } from '../protocol.ts'
import type { WireCacheControl } from './schema.ts'

/** The mark, and what the wire object said beyond it. */
export function decodeCache(wire: WireCacheControl | null | undefined): {
  readonly mark: { cache?: CacheMark }
  readonly rest?: object
} {
  if (wire == null) return { mark: {} }
  const { type, ttl, ...rest } = wire
  return { mark: { cache: ttl === undefined ? {} : { ttl } }, rest }
}

/** Cache marks are an extension that some upstreams of this protocol take. The losses stand at the node. */
export function encodeCache(
  node: { readonly cache?: CacheMark },
  context: EncodeContext,
): { cache_control?: WireCacheControl } {
  if (node.cache === undefined) return {}
  if (context.toward === 'upstream' && context.dialect?.['cache'] === true) {
    if (node.cache.ttl === undefined || context.dialect['ttl'] !== false)
      return { cache_control: { type: 'ephemeral', ...node.cache } }
    context.losses.dropped(['cache', 'ttl'], 'this upstream keeps its caches as long as it likes')
    return { cache_control: { type: 'ephemeral' } }
  }
  context.losses.dropped(['cache'], 'this upstream has no cache marks')
  return {}
}
