import { DragomanError, type ErrorFacts, type ErrorKind } from '../../ir/error.ts'
import { isObject, listOf, parseJson, type Json, type JsonObject } from '../../lib/json.ts'
import { kindOfStatus, STATUS_OF } from '../statuses.ts'

const WORD_OF: { readonly [Kind in ErrorKind]: string } = {
  'invalid-request': 'INVALID_ARGUMENT',
  unsupported: 'INVALID_ARGUMENT',
  authentication: 'UNAUTHENTICATED',
  budget: 'RESOURCE_EXHAUSTED',
  permission: 'PERMISSION_DENIED',
  'not-found': 'NOT_FOUND',
  method: 'UNIMPLEMENTED',
  conflict: 'ABORTED',
  'too-large': 'INVALID_ARGUMENT',
  'headers-too-large': 'INVALID_ARGUMENT',
  'request-timeout': 'DEADLINE_EXCEEDED',
  'media-type': 'INVALID_ARGUMENT',
  unprocessable: 'INVALID_ARGUMENT',
  'rate-limit': 'RESOURCE_EXHAUSTED',
  cancelled: 'CANCELLED',
  internal: 'INTERNAL',
  upstream: 'INTERNAL',
  interrupted: 'UNAVAILABLE',
  overloaded: 'UNAVAILABLE',
  unavailable: 'UNAVAILABLE',
  timeout: 'DEADLINE_EXCEEDED',
}

/** For errors inside a stream that say no status. */
const KIND_OF: { readonly [word: string]: ErrorKind } = {
  INVALID_ARGUMENT: 'invalid-request',
  FAILED_PRECONDITION: 'invalid-request',
  OUT_OF_RANGE: 'invalid-request',
  UNAUTHENTICATED: 'authentication',
  PERMISSION_DENIED: 'permission',
  NOT_FOUND: 'not-found',
  ABORTED: 'conflict',
  ALREADY_EXISTS: 'conflict',
  RESOURCE_EXHAUSTED: 'rate-limit',
  CANCELLED: 'cancelled',
  UNAVAILABLE: 'unavailable',
  DEADLINE_EXCEEDED: 'timeout',
}

const TYPE = 'type.googleapis.com/google.rpc.'

export function decodeError(status: number, body: string): DragomanError {
  const { message, facts } = read(parseJson(body))
  return new DragomanError(kindOfStatus(status), message ?? `The upstream answered with status ${status}.`, facts)
}

/** An error inside a stream: its code is the status that it would have had. */
export function decodeErrorBody(body: Json): DragomanError {
  const { message, code, facts } = read(body)
  const word = facts.code ?? ''
  const kind =
    code !== undefined && code >= 400 && code < 600
      ? kindOfStatus(code)
      : Object.hasOwn(KIND_OF, word)
        ? KIND_OF[word]
        : undefined
  return new DragomanError(kind ?? 'upstream', message ?? 'The upstream ended its stream with an error.', facts)
}

export function encodeError(error: DragomanError, _requestId: string): { status: number; body: JsonObject } {
  return { status: STATUS_OF[error.kind], body: encodeErrorBody(error) }
}

export function encodeErrorBody(error: DragomanError): JsonObject {
  const details = encodeDetails(error)
  const { kind, message } = error
  return {
    error: { code: STATUS_OF[kind], message, status: WORD_OF[kind], ...(details.length === 0 ? {} : { details }) },
  }
}

function encodeDetails({ param, code, details, message, retryAfter }: DragomanError): JsonObject[] {
  const found: JsonObject[] = []
  if (param !== undefined)
    found.push({ '@type': `${TYPE}BadRequest`, fieldViolations: [{ field: param, description: message }] })
  if (code !== undefined || details !== undefined) {
    found.push({
      '@type': `${TYPE}ErrorInfo`,
      reason: code ?? details?.['error_code'] ?? 'UNKNOWN',
      domain: 'dragoman',
      ...(details === undefined ? {} : { metadata: details }),
    })
  }
  if (retryAfter !== undefined) found.push({ '@type': `${TYPE}RetryInfo`, retryDelay: `${retryAfter}s` })
  return found
}

/** Some upstreams put the error of a stream into a list. */
function read(body: Json | undefined): { message?: string; code?: number; facts: ErrorFacts } {
  const whole: Json | undefined = Array.isArray(body) ? (body as readonly Json[])[0] : body
  const error = isObject(whole) && isObject(whole['error']) ? whole['error'] : {}
  const { message, status, code, details } = error
  const retryAfter = retryAfterOf(details)
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof code === 'number' ? { code } : {}),
    facts: {
      ...(typeof status === 'string' ? { code: status } : {}),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  }
}

/** The hint is a duration in the details, not a header. */
function retryAfterOf(details: Json | undefined): number | undefined {
  for (const detail of listOf(details as readonly Json[] | undefined)) {
    const delay = isObject(detail) && detail['@type'] === `${TYPE}RetryInfo` ? detail['retryDelay'] : undefined
    const seconds = typeof delay === 'string' ? Number.parseFloat(delay) : Number.NaN
    if (Number.isFinite(seconds) && seconds >= 0) return Math.ceil(seconds)
  }
  return undefined
}
