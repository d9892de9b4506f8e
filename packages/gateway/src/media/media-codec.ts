import { DragomanError, type Protocol } from '@dragoman/core'
import type { MediaCodec } from '@dragoman/core/media'
import type { MediaRequest, MediaRules } from './rules.ts'

/** The codec of a kind. Operations are refused before if the protocol has none. */
export function codecOf<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  protocol: Protocol,
): MediaCodec<Request, Answer> {
  const codec = rules.codecOf(protocol)
  if (codec === undefined)
    throw new DragomanError('not-found', `The protocol ${protocol.name} has no calls of this kind.`)
  return codec
}
