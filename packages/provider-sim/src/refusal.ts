import { DragomanError, type Protocol } from '@dragoman/core'
import type { Delivery } from './deliver.ts'

export const JSON_TYPE = { 'content-type': 'application/json' }

/** The requested status, with an error body of the protocol. */
export function failure(protocol: Protocol, status: number): Delivery {
  const { kind } = protocol.error.decode(status, '')
  const error = new DragomanError(kind, `The simulator was asked to fail with status ${status}.`)
  const headers = status === 429 ? { 'retry-after': '1' } : {}
  return { ...refusal(protocol, error), status, headers: { ...JSON_TYPE, ...headers } }
}

/** An error, in the shape of the protocol. */
export function refusal(protocol: Protocol, error: DragomanError): Delivery {
  const { status, body } = protocol.error.encode(error, 'req_sim')
  const chunks = [new TextEncoder().encode(JSON.stringify(body))]
  return { status, headers: JSON_TYPE, chunks, waitMs: 0, delayMs: 0, cut: false }
}
