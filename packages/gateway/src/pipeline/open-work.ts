import type { Match } from '@dragoman/core'
import type { Exchange } from '../call/exchange.ts'
import type { BodyOperation } from './operation.ts'
import type { Settings } from '../call/settings.ts'
import { offloadFor } from '../bodies/offload.ts'
import { isForm } from '../bodies/read-form.ts'
import type { RequestWork } from '../bodies/request-work.ts'

/** Starts the work on a request body: here, or in another thread if the body is large. */
export function openWork(
  settings: Settings,
  { head, protocol }: Exchange,
  operation: BodyOperation,
  match: Match,
  bytes: Uint8Array,
): RequestWork {
  const { offload, protocols, unsupportedFields, limits, ids, clock } = settings
  const downloads = settings.downloads !== undefined
  const options = { unsupportedFields, counts: limits.counts, part: limits.part, ids, clock, downloads }
  const form = operation.body !== 'json' && isForm(head) ? head.header('content-type') : undefined
  const sent = { bytes, form }
  const thread = offloadFor(offload, bytes.length, protocols)
  return thread?.request(protocol, match, sent, options) ?? operation.createWork(protocol, match, sent, options)
}
