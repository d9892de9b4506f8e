import type { CacheMark, Part } from '../../ir/part.ts'
import type { Request } from '../../ir/request.ts'
import type { Draft } from '../../lib/draft.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
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

/** Sets the mark of a part that is being made; gives what is left with what the wire object said beyond it. */
export function takeCache(
  wire: WireCacheControl,
  part: Draft<Marked>,
  rest: JsonObject | undefined,
): JsonObject | undefined {
  const { mark, rest: inner } = decodeCache(wire)
  if (mark.cache !== undefined) part.cache = mark.cache
  return inner === undefined || isEmpty(inner) ? rest : { ...rest, cache_control: inner as JsonObject } // parsed JSON
}

/** Sets the mark of a wire node that is being made. The losses stand at the node. */
export function putCache(
  wire: { cache_control?: WireCacheControl | null | undefined },
  node: Marked,
  context: EncodeContext,
): void {
  const { cache_control } = encodeCache(node, context)
  if (cache_control !== undefined) wire.cache_control = cache_control
}

interface Marked {
  readonly cache?: CacheMark
}

/** What a request's encoder knows beyond the common context. */
interface CacheContext extends EncodeContext {
  /** Marks beyond what the upstream takes. */
  readonly surplus?: ReadonlySet<Marked>
}

/** The losses stand at the node. */
export function encodeCache(node: Marked, context: CacheContext): { cache_control?: WireCacheControl } {
  if (node.cache === undefined) return {}
  if (context.surplus?.has(node)) {
    context.losses.dropped(['cache'], `messages takes ${MOST_MARKS} cache marks`)
    return {}
  }
  if (node.cache.ttl !== undefined && context.dialect?.['ttl'] === false) {
    context.losses.dropped(['cache', 'ttl'], 'this upstream keeps its caches as long as it likes')
    return { cache_control: { type: 'ephemeral' } }
  }
  return { cache_control: { type: 'ephemeral', ...node.cache } }
}

const MOST_MARKS = 4

/** The context that leaves out surplus marks: the last ones cover the longest prefixes, so the first ones give way. */
export function withinMarks(request: Request, context: EncodeContext): CacheContext {
  const marked: Marked[] = (request.tools ?? []).flatMap((tool) =>
    tool.type !== 'custom' && tool.cache !== undefined ? [tool] : [],
  )
  for (const message of request.messages) collectMarks(message.parts, marked)
  if (marked.length <= MOST_MARKS) return context
  return { ...context, surplus: new Set(marked.slice(0, marked.length - MOST_MARKS)) }
}

function collectMarks(parts: readonly Part[], marked: Marked[]): void {
  for (const part of parts) {
    if (part.type === 'tool-result' && part.output.parts !== undefined) collectMarks(part.output.parts, marked)
    else if (part.type === 'search-hit' && part.parts !== undefined) collectMarks(part.parts, marked)
    else if (part.type === 'media' && part.source.kind === 'parts') collectMarks(part.source.parts, marked)
    if (part.cache !== undefined) marked.push(part)
  }
}
