import { DragomanError, type ErrorFacts } from '../ir/error.ts'
import { isObject, optionalString, parseJson, type JsonObject } from '../lib/json.ts'
import { errorType, kindOfErrorType, kindOfStatus, type ErrorTypes } from './http.ts'

// Errors as OpenAI writes them: an object with a message, a type, a code and the member that is wrong.

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

/** An error inside a stream, or instead of an answer: some upstreams put a status into its code. */
export function decodeErrorObject(body: unknown): DragomanError {
  const { message, type, facts } = readErrorObject(body)
  const status = Number(facts.code)
  const named = TOO_MANY.includes(type) ? 'rate-limit' : kindOfErrorType(TYPES, type)
  const kind = named ?? (status >= 400 && status < 600 ? kindOfStatus(status) : 'upstream-error')
  return new DragomanError(kind, message ?? 'The upstream answered with an error.', facts)
}

/** The error inside its object. */
export function encodeErrorObject(error: DragomanError): JsonObject {
  const { message, kind, param = null, details, code = details?.['error_code'] ?? null } = error
  return { error: { message, type: errorType(TYPES, kind), param, code } }
}

/** The members of an error, in an object of its own or not. */
export interface ReadError {
  readonly message?: string | undefined
  readonly type?: string | undefined
  readonly facts: ErrorFacts
}

/** Reads an error leniently. */
export function readErrorObject(body: unknown): ReadError {
  const error: unknown = isObject(body) ? (body['error'] ?? body) : undefined
  if (typeof error === 'string') return { message: error, facts: {} }
  // Jina, and other servers that are written with FastAPI, have a `detail` only.
  const { detail, message = detail, type, code, param, metadata } = isObject(error) ? error : {}
  return {
    message: withInner(optionalString(message), metadata),
    type: optionalString(type),
    facts: { code: errorCode(code), param: optionalString(param) },
  }
}

/** OpenRouter puts the message of the provider that it called into `metadata.raw`, often as JSON in a string. */
function withInner(message: string | undefined, metadata: unknown): string | undefined {
  const raw = isObject(metadata) ? optionalString(metadata['raw']) : undefined
  if (raw === undefined) return message
  const parsed = parseJson(raw)
  const inner = isObject(parsed) ? readErrorObject(parsed).message : raw
  return [message, inner].filter((text) => text !== undefined).join(': ')
}

/** A code is a word or a number. */
export function errorCode(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : optionalString(value)
}
