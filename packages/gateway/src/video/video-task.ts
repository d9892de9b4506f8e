import { DragomanError, isObject, type JsonObject } from '@dragoman/core'
import { NO_PREFERENCES } from '../routing/preferences.ts'
import type { Exchange } from '../call/exchange.ts'
import type { Route } from '../models/route.ts'
import type { Settings } from '../call/settings.ts'

/** Videos that an upstream generates, and how to ask for them. It is sealed in the name of the operation: nothing else is kept. */
export interface VideoTask {
  /** The id of the route, and the protocol of its upstream. */
  readonly route: string
  readonly protocol: string
  /** The index of the provider's key that started it. Absent if the provider has no keys. */
  readonly key?: number
  /** What the driver has returned, or the name that the upstream has given the operation. */
  readonly token: JsonObject | string
}

export function writeTask({ route, protocol, key, token }: VideoTask): JsonObject {
  return { route, protocol, token, ...(key === undefined ? {} : { key }) }
}

/** Undefined for JSON of another version of the gateway. */
export function readTask({ route, protocol, key, token }: JsonObject): VideoTask | undefined {
  if (typeof route !== 'string' || typeof protocol !== 'string') return undefined
  if (typeof token !== 'string' && !isObject(token)) return undefined
  return { route, protocol, token, ...(typeof key === 'number' ? { key } : {}) }
}

/** The route of a task. Throws if there is none any more, or if the caller may no longer use it. */
export function routeOf(
  { models }: Settings,
  { protocol: inbound, caller }: Pick<Exchange, 'protocol' | 'caller'>,
  { route: id, protocol }: VideoTask,
): Route {
  const { routes } = models.candidates({ model: id }, NO_PREFERENCES, inbound, caller)
  const route = routes.find((each) => each.id === id && each.protocol.name === protocol)
  if (route !== undefined) return route
  throw new DragomanError('not-found', `The gateway no longer has the model "${id}", which generates these videos.`)
}
