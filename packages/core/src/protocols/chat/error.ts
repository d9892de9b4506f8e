import { DragomanError, type ErrorKind } from '../../ir/error.ts'
import { isObject, parseJson, type Json, type JsonObject } from '../../lib/json.ts'
import { kindOfStatus, STATUS_OF } from '../statuses.ts'

const TYPE_OF: { readonly [Kind in ErrorKind]: string } = {
  'invalid-request': 'invalid_request_error',
  unsupported: 'invalid_request_error',
  authentication: 'authentication_error',
  budget: 'insufficient_quota',
  permission: 'permission_error',
  'not-found': 'not_found_error',
  method: 'invalid_request_error',
  conflict: 'invalid_request_error',
  'too-large': 'invalid_request_error',
  'headers-too-large': 'invalid_request_error',
  'request-timeout': 'invalid_request_error',
  'media-type': 'invalid_request_error',
  unprocessable: 'invalid_request_error',
  'rate-limit': 'rate_limit_error',
  cancelled: 'server_error',
  internal: 'server_error',
  upstream: 'server_error',
  interrupted: 'server_error',
  overloaded: 'server_error',
  unavailable: 'server_error',
  timeout: 'server_error',
}

/** Types that errors inside a stream are told by; a stream's error has no status. */
const KIND_OF: { readonly [type: string]: ErrorKind } = {
  invalid_request_error: 'invalid-request',
  authentication_error: 'authentication',
  insufficient_quota: 'budget',
  permission_error: 'permission',
  not_found_error: 'not-found',
  rate_limit_error: 'rate-limit',
  rate_limit_exceeded: 'rate-limit',
  too_many_requests_error: 'rate-limit',
}

export function decodeError(status: number, body: string): DragomanError {
  const { message, facts } = read(parseJson(body))
  return new DragomanError(kindOfStatus(status), message ?? `The upstream answered with status ${status}.`, facts)
}

/** An error in the place of an answer, without the object around it that the protocol has. */
export function isFlatError(wire: object): boolean {
  const { object, message, type, code } = wire as { readonly [member: string]: unknown } // parsed JSON
  if (object === 'error') return true
  return (
    typeof message === 'string' && [type, code].some((word) => typeof word === 'string' || typeof word === 'number')
  )
}

/** An error inside a stream, or in the place of an answer: some upstreams put a status into its code. */
export function decodeErrorBody(body: unknown): DragomanError {
  const { message, type, facts } = read(body)
  const status = Number(facts.code)
  const kind =
    type !== undefined && Object.hasOwn(KIND_OF, type)
      ? KIND_OF[type]
      : status >= 400 && status < 600
        ? kindOfStatus(status)
        : undefined
  return new DragomanError(kind ?? 'upstream', message ?? 'The upstream answered with an error.', facts)
}

export function encodeError(error: DragomanError, _requestId: string): { status: number; body: JsonObject } {
  return { status: STATUS_OF[error.kind], body: encodeErrorBody(error) }
}

export function encodeErrorBody(error: DragomanError): JsonObject {
  const { message, kind, param = null, code, details } = error
  return { error: { message, type: TYPE_OF[kind], param, code: code ?? details?.['error_code'] ?? null } }
}

function read(body: unknown): { message?: string; type?: string; facts: { code?: string; param?: string } } {
  const error: Json | undefined = isObject(body) ? body['error'] : undefined
  if (typeof error === 'string') return { message: error, facts: {} }
  const { message, type, code, param } = isObject(error) ? error : isObject(body) ? body : {}
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    facts: {
      ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
      ...(typeof param === 'string' ? { param } : {}),
    },
  }
}
