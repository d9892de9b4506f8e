import { DragomanError, type JsonObject, type Protocol } from '@dragoman/core'
import type { Matched } from '../match.ts'
import type { Models } from '../resolve.ts'

/** The model list, or one model, in the words of the protocol. */
export function describeModels(models: Models, protocol: Protocol, { match, query }: Matched): JsonObject {
  if (match.operation === 'models') return protocol.models.list(models.listed, query)
  if (match.model === undefined) throw new DragomanError('not-found', 'No model was named.')
  return protocol.models.one(models.find(match.model, match.bare))
}
