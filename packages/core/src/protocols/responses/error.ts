import { DragomanError, type ErrorKind } from '../../ir/error.ts'
import type { JsonObject } from '../../lib/json.ts'
import { decodeErrorObject, encodeErrorObject, readErrorObject } from '../error-object.ts'
import { readError, STATUS_OF } from '../http.ts'
import type { OverflowWords } from '../context-length.ts'

export function decodeError(status: number, body: string): DragomanError {
  return readError(status, body, decodeErrorBody, readErrorObject)
}

/** An error inside a stream, or of a failed response: it has a code instead of a type. */
export function decodeErrorBody(body: unknown): DragomanError {
  const { message, facts } = readErrorObject(body)
  const kind = kindOfCode(facts.code)
  if (kind === undefined) return decodeErrorObject(body)
  return new DragomanError(kind, message ?? 'The upstream answered with an error.', facts)
}

const KIND_OF: { readonly [code: string]: ErrorKind } = {
  server_error: 'upstream-error',
  rate_limit_exceeded: 'rate-limit',
  insufficient_quota: 'budget',
  usage_not_included: 'budget',
  server_is_overloaded: 'upstream-overloaded',
  slow_down: 'upstream-overloaded',
  vector_store_timeout: 'timeout',
}

/** Codes for faults of the request: what it says, and its images. */
const FAULT = /image|policy|prompt|context|residency/

/** The kind of a code; undefined for an unknown one. */
function kindOfCode(code = ''): ErrorKind | undefined {
  return Object.hasOwn(KIND_OF, code) ? KIND_OF[code] : FAULT.test(code) ? 'invalid-request' : undefined
}

export function encodeError(error: DragomanError, _requestId: string): { status: number; body: JsonObject } {
  return { status: STATUS_OF[error.kind], body: encodeErrorObject(error) }
}

/** The error of a failed response: codex knows these codes, and retries after any other. */
export function encodeFailure(error: DragomanError): { readonly code: string; readonly message: string } {
  const { kind, code, message, retryAfter } = error
  const own = kindOfCode(code) === undefined ? CODE_OF[kind] : code
  const wait = kind === 'rate-limit' && retryAfter !== undefined ? ` Please try again in ${retryAfter}s.` : ''
  return { code: own ?? 'server_error', message: message + wait }
}

const CODE_OF: { readonly [Kind in DragomanError['kind']]?: string } = {
  'rate-limit': 'rate_limit_exceeded',
  budget: 'insufficient_quota',
  overloaded: 'server_is_overloaded',
  'upstream-overloaded': 'server_is_overloaded',
  'invalid-request': 'invalid_prompt',
  unsupported: 'invalid_prompt',
}

/** OpenAI's words for this protocol; codex goes by the code. */
export const OVERFLOW: OverflowWords = {
  own: /exceeds the context window|maximum context length/,
  withOutput: (input, output, limit) =>
    `Your input exceeds the context window of this model: ${input} tokens of input and ${output} of output, with a limit of ${limit}. Please adjust your input and try again.`,
  withInput: (input, limit) =>
    `Your input exceeds the context window of this model: ${input} tokens, with a limit of ${limit}. Please adjust your input and try again.`,
  plain: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
}
