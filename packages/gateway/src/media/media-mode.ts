import type { Protocol } from '@dragoman/core'
import type { Card } from '@dragoman/core/provider'
import type { Route } from '../models/route.ts'
import type { MediaMode } from './prepared-media.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** How a route answers calls of this kind, if it does. */
export function modeOf<Request extends MediaRequest, Answer, Brief>(
  { conversation, codecOf }: MediaRules<Request, Answer, Brief>,
  { card, protocol }: { readonly card: Card; readonly protocol: Protocol },
): MediaMode {
  if (conversation?.has(card) === true) return 'conversation'
  return codecOf(protocol) === undefined ? 'driver' : 'protocol'
}

/** Whether a route answers calls of this kind. */
export function servesMedia<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  route: Route,
): boolean {
  if (!rules.has(route.card)) return false
  return modeOf(rules, route) !== 'driver' || rules.drive?.(route.provider) !== undefined
}

/** Whether a model has conversations. One with a media call of its own has none. */
export function hasConversations({ image, video, embedding }: Card): boolean {
  return (image === undefined || image.via === 'generate') && video === undefined && embedding === undefined
}
