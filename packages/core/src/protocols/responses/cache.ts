import { keep, type Node } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { CacheMark } from '../../ir/part.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Encoding } from '../context.ts'
import { NAME, type PartOf } from './schema.ts'

type Breakpoint = PartOf<'input_text'>['prompt_cache_breakpoint']

interface Marked {
  readonly cache?: CacheMark
}

/** Adds its mark and its unknown members to a node that is being built. A mark with a time to live of its own is one of these. */
export function keepMarked<const T extends object>(
  node: T,
  mark: Breakpoint,
  rest: JsonObject | undefined,
): T & Node & Marked {
  if (mark == null) return keep(node, NAME, rest)
  if (mark.mode === 'explicit' && Object.keys(mark).length === 1)
    return keep(Object.assign(node, { cache: {} }), NAME, rest)
  return keep(node, NAME, { ...rest, prompt_cache_breakpoint: mark as JsonObject }) // parsed JSON
}

/** Adds a cache mark to a wire node that is being built. */
export function mark<T extends { prompt_cache_breakpoint?: Breakpoint }>(
  wire: T,
  { cache }: Marked,
  losses: Losses,
  { dialect, toward }: Encoding,
): T {
  if (cache === undefined) return wire
  if (dialect?.['cache'] !== true || toward === 'client') losses.dropped(['cache'], 'this upstream has no cache marks')
  else {
    if (cache.ttl !== undefined) losses.dropped(['cache', 'ttl'], 'responses has other times to live')
    wire.prompt_cache_breakpoint = { mode: 'explicit' }
  }
  return wire
}
