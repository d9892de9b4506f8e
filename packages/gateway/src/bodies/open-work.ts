import type { Match } from '@dragoman/core'
import type { Exchange } from '../exchange.ts'
import type { BodyOperation } from '../operations/operation.ts'
import type { Settings } from '../settings.ts'
import { offloadFor } from './offload.ts'
import { isForm, readForm } from './read-form.ts'
import type { RequestWork } from './request-work.ts'

/** Starts the work on a request body: here, or in another thread if the body is large. */
export function openWork(
  settings: Settings,
  { head, protocol }: Exchange,
  operation: BodyOperation,
  match: Match,
  bytes: Uint8Array,
): RequestWork | Promise<RequestWork> {
  const { offload, protocols, unsupportedFields, limits, ids, clock } = settings
  const downloads = settings.downloads !== undefined
  const options = { unsupportedFields, counts: limits.counts, part: limits.part, ids, clock, downloads }
  if (operation.body === 'multipart')
    return readForm(bytes, head.header('content-type')).then((form) =>
      operation.createWork(protocol, match, form, options),
    )
  const thread = offloadFor(offload, bytes.length, protocols)
  const type = operation.body === 'json or multipart' && isForm(head) ? head.header('content-type') : undefined
  if (thread !== undefined) return thread.request(protocol, match, bytes, options, type)
  if (type === undefined || operation.body === 'json') return operation.createWork(protocol, match, bytes, options)
  return operation.createFormWork(protocol, match, { bytes, type }, options)
}
