import { DragomanError, type ErrorFacts } from '../../ir/error.ts'
import { isObject, parseJson, optionalString, type JsonObject } from '../../lib/json.ts'
import {
  errorType,
  kindOfStatus,
  kindOfErrorType,
  isErrorInside,
  STATUS_OF,
  statusError,
  type ErrorTypes,
} from '../statuses.ts'

const TYPES: ErrorTypes = {
  'invalid-request': 'invalid_request_error',
  authentication: 'authentication_error',
  budget: 'insufficient_quota',
  permission: 'permission_error',
  'not-found': 'not_found_error',
  'rate-limit': 'rate_limit_error',
  server: 'server_error',
}
const TOO_MANY: readonly unknown[] = ['rate_limit_exceeded', 'too_many_requests_error']

export function decodeError(status: number, body: string): DragomanError {
  const wire = parseJson(body)
  if (isErrorInside(status, wire)) return decodeErrorBody(wire)
  const { message, facts } = read(wire)
  return statusError(status, message, facts)
}

/** An error instead of a response, without the wrapper object of the protocol. */
export function isFlatError(wire: object): boolean {
  const { object, message, type, code } = wire as { readonly [member: string]: unknown } // parsed JSON
  return object === 'error' || (typeof message === 'string' && (codeOf(type) ?? codeOf(code)) !== undefined)
}

/** An error inside a stream, or instead of a response: some upstreams put a status into its code. */
export function decodeErrorBody(body: unknown): DragomanError {
  const { message, type, facts } = read(body)
  const status = Number(facts.code)
  const named = TOO_MANY.includes(type) ? 'rate-limit' : kindOfErrorType(TYPES, type)
  const kind = named ?? (status >= 400 && status < 600 ? kindOfStatus(status) : 'upstream-error')
  return new DragomanError(kind, message ?? 'The upstream answered with an error.', facts)
}

export function encodeError(error: DragomanError, _requestId: string): { status: number; body: JsonObject } {
  return { status: STATUS_OF[error.kind], body: encodeErrorBody(error) }
}

export function encodeErrorBody(error: DragomanError): JsonObject {
  const { message, kind, param = null, details, code = details?.['error_code'] ?? null } = error
  return { error: { message, type: errorType(TYPES, kind), param, code } }
}

function read(body: unknown): { message?: string | undefined; type?: string | undefined; facts: ErrorFacts } {
  const error: unknown = isObject(body) ? (body['error'] ?? body) : undefined
  if (typeof error === 'string') return { message: error, facts: {} }
  const { message, type, code, param, metadata } = isObject(error) ? error : {}
  return {
    message: withInner(optionalString(message), metadata),
    type: optionalString(type),
    facts: { code: codeOf(code), param: optionalString(param) },
  }
}

/** OpenRouter puts the message of the provider that it called into `metadata.raw`, often as JSON in a string. */
function withInner(message: string | undefined, metadata: unknown): string | undefined {
  const raw = isObject(metadata) ? optionalString(metadata['raw']) : undefined
  if (raw === undefined) return message
  const parsed = parseJson(raw)
  const inner = isObject(parsed) ? read(parsed).message : raw
  return [message, inner].filter((text) => text !== undefined).join(': ')
}

function codeOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : optionalString(value)
}
