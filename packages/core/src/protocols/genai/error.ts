import { DragomanError, type ErrorFacts, type ErrorKind } from '../../ir/error.ts'
import { defined } from '../../lib/members.ts'
import { isObject, listOf, numberOf, optionalString, type Json, type JsonObject } from '../../lib/json.ts'
import { kindOfStatus, readError, STATUS_OF } from '../http.ts'
import type { OverflowWords } from '../context-length.ts'

/** The status of each status word, and other statuses with the same word. */
const STATUSES_OF: ReadonlyMap<string, readonly number[]> = new Map([
  ['INVALID_ARGUMENT', [400]],
  ['FAILED_PRECONDITION', [400]],
  ['OUT_OF_RANGE', [400]],
  ['UNAUTHENTICATED', [401]],
  ['PERMISSION_DENIED', [403]],
  ['NOT_FOUND', [404]],
  ['ABORTED', [409]],
  ['ALREADY_EXISTS', [409]],
  ['RESOURCE_EXHAUSTED', [429, 402]],
  ['CANCELLED', [499]],
  ['INTERNAL', [500, 502]],
  ['UNIMPLEMENTED', [501, 405]],
  ['UNAVAILABLE', [503, 529]],
  ['DEADLINE_EXCEEDED', [504, 408]],
])

const TYPE = 'type.googleapis.com/google.rpc.'

export function decodeError(status: number, body: string): DragomanError {
  return readError(status, body, decodeErrorBody, read)
}

/** An error inside a stream: its code is the status that it would have without streaming. */
export function decodeErrorBody(body: Json): DragomanError {
  const { message, code = 0, facts } = read(body)
  const status = code >= 400 && code < 600 ? code : (STATUSES_OF.get(facts.code ?? '')?.[0] ?? 500)
  const kind = status === 499 ? 'cancelled' : kindOfStatus(status)
  return new DragomanError(kind, message ?? 'The upstream ended its stream with an error.', facts)
}

export function encodeError(error: DragomanError, _requestId: string): { status: number; body: JsonObject } {
  return { status: STATUS_OF[error.kind], body: encodeErrorBody(error) }
}

export function encodeErrorBody(error: DragomanError): JsonObject {
  const { kind, message } = error
  const details = encodeDetails(error)
  const body = { code: STATUS_OF[kind], message, status: statusOf(kind) }
  return { error: details.length === 0 ? body : { ...body, details } }
}

function statusOf(kind: ErrorKind): string {
  if (kind === 'interrupted') return 'UNAVAILABLE'
  const [name] = [...STATUSES_OF].find(([, statuses]) => statuses.includes(STATUS_OF[kind])) ?? []
  return name ?? 'INVALID_ARGUMENT'
}

function encodeDetails({ param: field, code, details, message, retryAfter }: DragomanError): JsonObject[] {
  const found: JsonObject[] = []
  const add = (type: string, detail: JsonObject) => found.push({ '@type': TYPE + type, ...detail })
  if (field !== undefined) add('BadRequest', { fieldViolations: [{ field, description: message }] })
  if (code !== undefined || details !== undefined) {
    const metadata = details && Object.fromEntries(Object.entries(details).map(([key, value]) => [key, String(value)]))
    const reason = code ?? metadata?.['error_code'] ?? 'UNKNOWN'
    add('ErrorInfo', { reason, domain: 'dragoman', ...defined({ metadata }) })
  }
  if (retryAfter !== undefined) add('RetryInfo', { retryDelay: `${retryAfter}s` })
  return found
}

/** Some upstreams put the error of a stream into a list. */
function read(body: Json | undefined): { message: string | undefined; code: number | undefined; facts: ErrorFacts } {
  const whole: Json | undefined = Array.isArray(body) ? (body as readonly Json[])[0] : body
  const { message, status, code, details } = isObject(whole) && isObject(whole['error']) ? whole['error'] : {}
  return {
    message: optionalString(message),
    code: numberOf(code),
    facts: defined({ code: optionalString(status), retryAfter: retryAfterOf(details) }),
  }
}

/** The retry hint is a duration in the details, not a header. */
function retryAfterOf(details: Json | undefined): number | undefined {
  for (const detail of listOf(details as readonly Json[] | undefined)) {
    const delay = isObject(detail) && detail['@type'] === `${TYPE}RetryInfo` ? detail['retryDelay'] : undefined
    const seconds = typeof delay === 'string' ? Number.parseFloat(delay) : Number.NaN
    if (Number.isFinite(seconds) && seconds >= 0) return Math.ceil(seconds)
  }
  return undefined
}

/** LiteLLM and agents search for these words. */
export const OVERFLOW: OverflowWords = {
  own: /exceeds the maximum number of tokens allowed/,
  withOutput: (input, output, limit) => OVERFLOW.withInput(input, limit - output),
  withInput: (input, limit) =>
    `The input token count (${input}) exceeds the maximum number of tokens allowed (${limit}).`,
  plain: 'The input token count exceeds the maximum number of tokens allowed.',
}
