import type { Protocol } from '@dragoman/core'
import { factsOf, findCodec, type MediaKind } from '@dragoman/core/media'
import type { Card } from '@dragoman/core/provider'
import type { Route } from '../models/route.ts'
import type { MediaMode } from './prepared-media.ts'
import type { MediaRules } from './rules.ts'

/** How a route answers calls of this kind, if it does. */
export function modeOf(
  kind: MediaKind,
  { card, protocol }: { readonly card: Card; readonly protocol: Protocol },
): MediaMode {
  if (kind.conversation?.has(factsOf(kind, card) ?? {}) === true) return 'conversation'
  return findCodec(kind.name, protocol) === undefined ? 'driver' : 'protocol'
}

/** Whether a route answers calls of this kind. */
export function servesMedia(rules: MediaRules, route: Route): boolean {
  if (factsOf(rules, route.card) === undefined) return false
  return modeOf(rules, route) !== 'driver' || rules.drive?.(route.provider) !== undefined
}
