import type { DragomanError } from '../../ir/error.ts'
import { parseJson, type JsonObject } from '../../lib/json.ts'
import { decodeErrorObject, encodeErrorObject, readErrorObject } from '../error-object.ts'
import { isErrorInside, STATUS_OF, statusError } from '../statuses.ts'

export function decodeError(status: number, body: string): DragomanError {
  const wire = parseJson(body)
  if (isErrorInside(status, wire)) return decodeErrorObject(wire)
  const { message, facts } = readErrorObject(wire)
  return statusError(status, message, facts)
}

export function encodeError(error: DragomanError, _requestId: string): { status: number; body: JsonObject } {
  return { status: STATUS_OF[error.kind], body: encodeErrorObject(error) }
}
