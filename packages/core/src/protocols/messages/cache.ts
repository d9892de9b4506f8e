import type { Losses } from '../../ir/loss.ts'
import type { CacheMark, Part } from '../../ir/part.ts'
import type { ModelRequest } from '../../ir/request.ts'
import { encodeCache } from '../cache-control.ts'
import type { Encoding } from '../context.ts'
import type { WireCacheControl } from './schema.ts'

interface Marked {
  readonly cache?: CacheMark
}

/** What a request encoder needs in addition to the common context. */
interface CacheContext extends Encoding {
  /** Marks beyond the limit of the upstream. */
  readonly surplus?: ReadonlySet<Marked>
}

/** Adds a cache mark to a wire node that is being built. */
export function mark<T extends { cache_control?: WireCacheControl | null | undefined }>(
  wire: T,
  node: Marked,
  losses: Losses,
  context: CacheContext,
): T {
  if (node.cache === undefined) return wire
  if (context.surplus?.has(node)) losses.dropped(['cache'], `messages takes ${MOST_MARKS} cache marks`)
  else wire.cache_control = encodeCache(node.cache, losses, context)
  return wire
}

const MOST_MARKS = 4

/** The context that leaves out surplus marks: the last ones cover the longest prefixes, so the first ones are dropped. */
export function withinMarks(request: ModelRequest, context: Encoding): CacheContext {
  const marked: Marked[] = []
  for (const tool of request.tools ?? []) if (tool.type !== 'custom' && tool.cache !== undefined) marked.push(tool)
  for (const message of request.messages) collectMarks(message.parts, marked)
  if (marked.length <= MOST_MARKS) return context
  return { ...context, surplus: new Set(marked.slice(0, -MOST_MARKS)) }
}

function collectMarks(parts: readonly Part[] | undefined, marked: Marked[]): void {
  for (const part of parts ?? []) {
    if (part.type === 'tool-result') collectMarks(part.output.parts, marked)
    else if (part.type === 'search-hit') collectMarks(part.parts, marked)
    else if (part.type === 'media' && part.source.kind === 'parts') collectMarks(part.source.parts, marked)
    if (part.cache !== undefined) marked.push(part)
  }
}
