import type { Match, Protocol } from '@dragoman/core'
import type { Settings } from '../settings.ts'
import { offloadFor } from './offload.ts'
import { createWork, type RequestWork } from './request-work.ts'

/** Starts the work on a request's body: here, or in another thread where it would take long. */
export function openWork(settings: Settings, inbound: Protocol, match: Match, bytes: Uint8Array): RequestWork {
  const { offload, protocols, unsupportedFields, limits, ids, clock } = settings
  const options = { unsupportedFields, counts: limits.counts, ids, clock }
  const thread = offloadFor(offload, bytes.length, protocols)
  return thread?.request(inbound, match, bytes, options) ?? createWork(inbound, match, bytes, options)
}
