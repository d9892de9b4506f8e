import { DragomanError, type ErrorKind } from '../../ir/error.ts'
import { isObject, parseJson, type JsonObject } from '../../lib/json.ts'
import { kindOfStatus, STATUS_OF } from '../statuses.ts'

const TYPE_OF: { readonly [Kind in ErrorKind]: string } = {
  'invalid-request': 'invalid_request_error',
  unsupported: 'invalid_request_error',
  authentication: 'authentication_error',
  budget: 'billing_error',
  permission: 'permission_error',
  'not-found': 'not_found_error',
  method: 'invalid_request_error',
  conflict: 'invalid_request_error',
  'too-large': 'request_too_large',
  'headers-too-large': 'invalid_request_error',
  'request-timeout': 'timeout_error',
  'media-type': 'invalid_request_error',
  unprocessable: 'invalid_request_error',
  'rate-limit': 'rate_limit_error',
  cancelled: 'api_error',
  internal: 'api_error',
  upstream: 'api_error',
  interrupted: 'api_error',
  overloaded: 'overloaded_error',
  unavailable: 'api_error',
  timeout: 'timeout_error',
}

const KIND_OF: { readonly [type: string]: ErrorKind } = {
  invalid_request_error: 'invalid-request',
  authentication_error: 'authentication',
  billing_error: 'budget',
  permission_error: 'permission',
  not_found_error: 'not-found',
  request_too_large: 'too-large',
  rate_limit_error: 'rate-limit',
  api_error: 'upstream',
  overloaded_error: 'overloaded',
  timeout_error: 'timeout',
}

export function decodeError(status: number, body: string): DragomanError {
  const { message, type } = read(parseJson(body))
  return new DragomanError(
    kindOfStatus(status),
    message ?? `The upstream answered with status ${status}.`,
    codeOf(type),
  )
}

/** An error inside a stream, which has no status. */
export function decodeErrorBody(body: unknown): DragomanError {
  const { message, type } = read(body)
  const kind = type !== undefined && Object.hasOwn(KIND_OF, type) ? KIND_OF[type] : undefined
  return new DragomanError(kind ?? 'upstream', message ?? 'The upstream ended its stream with an error.', codeOf(type))
}

export function encodeError(error: DragomanError, requestId: string): { status: number; body: JsonObject } {
  const status = error.kind === 'overloaded' ? 529 : STATUS_OF[error.kind]
  return { status, body: { ...encodeErrorBody(error), request_id: requestId } }
}

export function encodeErrorBody(error: DragomanError): JsonObject {
  const details = error.details === undefined ? {} : { details: error.details }
  const message =
    error.param === undefined || error.message.includes(error.param)
      ? error.message
      : `${error.param}: ${error.message}`
  return { type: 'error', error: { type: TYPE_OF[error.kind], message, ...details } }
}

function read(body: unknown): { message?: string; type?: string } {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {}
  const { message, type } = error
  return { ...(typeof message === 'string' ? { message } : {}), ...(typeof type === 'string' ? { type } : {}) }
}

function codeOf(type: string | undefined): { code?: string } {
  return type === undefined ? {} : { code: type }
}
