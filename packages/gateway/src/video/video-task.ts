import { isObject, type JsonObject } from '@dragoman/core'
import type { PinnedRoute } from '../models/route.ts'

/** Videos that an upstream generates, and the only route that knows them. It is sealed in the name of the operation: nothing else is kept. */
export interface VideoTask extends PinnedRoute {
  /** What the driver has returned, or the name that the upstream has given the operation. */
  readonly token: JsonObject | string
}

export function writeTask({ id, protocol, key, token }: VideoTask): JsonObject {
  return { route: id, protocol, token, ...(key === undefined ? {} : { key }) }
}

/** Undefined for JSON of another version of the gateway. */
export function readTask({ route, protocol, key, token }: JsonObject): VideoTask | undefined {
  if (typeof route !== 'string' || typeof protocol !== 'string') return undefined
  if (typeof token !== 'string' && !isObject(token)) return undefined
  return { id: route, protocol, token, ...(typeof key === 'number' ? { key } : {}) }
}
