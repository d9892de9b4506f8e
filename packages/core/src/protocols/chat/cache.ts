import type { Losses } from '../../ir/loss.ts'
import type { CacheMark } from '../../ir/part.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { encodeCache, readMark } from '../cache-control.ts'
import type { Encoding } from '../context.ts'
import { takesMarks } from './members.ts'

/** Adds a cache mark to a wire node that is being built: an extension of some chat upstreams. */
export function mark<T extends object>(
  wire: T,
  node: { readonly cache?: CacheMark },
  losses: Losses,
  context: Encoding,
): T {
  if (node.cache === undefined || !takesMarks(context)) return wire
  return Object.assign(wire, { cache_control: encodeCache(node.cache, losses, context) })
}

/** Reads a mark from the unknown members of a message or a call, where some clients put it. Returns the other members. */
export function takeMark(node: object | undefined, rest: JsonObject | undefined): JsonObject | undefined {
  const wire = rest?.['cache_control']
  const cache = isObject(wire) ? readMark(wire) : undefined
  if (node === undefined || 'cache' in node || cache === undefined) return rest
  Object.assign(node, { cache })
  const { cache_control: _mark, ...others } = rest ?? {}
  return isEmpty(others) ? undefined : others
}
