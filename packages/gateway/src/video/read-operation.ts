import { createLosses, DragomanError, type JsonObject } from '@dragoman/core'
import type { MediaEncoding, VideoOperation } from '@dragoman/core/media'
import { dialectOf } from '@dragoman/core/provider'
import type { Route } from '../models/route.ts'
import type { Settings } from '../call/settings.ts'
import { codecOf } from './operation-name.ts'

/** The operation in the answer of an upstream. Throws if it has no name, or if it is not an operation. */
export function readOperation({ card, protocol }: Route, body: JsonObject): VideoOperation {
  const issuer = card.issuer ?? protocol.issuer
  const dialect = dialectOf(card, protocol.name)
  const operation = codecOf(protocol).answer.decode(body, { issuer, dialect, operation: 'video-poll' })
  if (operation.name === '') throw new DragomanError('upstream', 'The upstream gave an operation without a name.')
  return operation
}

/** The context of an operation that is written for a caller. */
export function createEncoding({ ids, clock }: Settings, issuer: string): MediaEncoding {
  return {
    issuer,
    operation: 'video-poll',
    toward: 'client',
    id: ids,
    now: Math.floor(clock.now() / 1000),
    losses: createLosses(),
  }
}
