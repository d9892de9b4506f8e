import type { DragomanError } from '../../ir/error.ts'
import { parseJson, type JsonObject } from '../../lib/json.ts'
import { decodeErrorObject, encodeErrorObject, errorCode, readErrorObject } from '../error-object.ts'
import { isErrorInside, STATUS_OF, statusError } from '../statuses.ts'

export function decodeError(status: number, body: string): DragomanError {
  const wire = parseJson(body)
  if (isErrorInside(status, wire)) return decodeErrorObject(wire)
  const { message, facts } = readErrorObject(wire)
  return statusError(status, message, facts)
}

/** An error instead of a response, without the wrapper object of the protocol. */
export function isFlatError(wire: object): boolean {
  const { object, message, type, code } = wire as { readonly [member: string]: unknown } // parsed JSON
  return object === 'error' || (typeof message === 'string' && (errorCode(type) ?? errorCode(code)) !== undefined)
}

export function encodeError(error: DragomanError, _requestId: string): { status: number; body: JsonObject } {
  return { status: STATUS_OF[error.kind], body: encodeErrorObject(error) }
}
