import type { Match, Protocol } from '@dragoman/core'
import type { Settings } from '../settings.ts'
import { createWork, type RequestWork } from './request-work.ts'

/** Starts the work on a request's body: here, or in another thread where it would take long. */
export function openWork(settings: Settings, inbound: Protocol, match: Match, bytes: Uint8Array): RequestWork {
  const { offload, protocols, unsupportedFields, limits, ids, clock } = settings
  const options = { unsupportedFields, counts: limits.counts, ids, clock }
  if (offload === undefined || bytes.length < offload.from || !offload.knows(...protocols)) {
    return createWork(inbound, match, bytes, options)
  }
  return offload.request(inbound, match, bytes, options)
}
