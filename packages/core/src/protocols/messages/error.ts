import { DragomanError, type ErrorFacts } from '../../ir/error.ts'
import { defined } from '../../lib/members.ts'
import { isObject, optionalString, type JsonObject } from '../../lib/json.ts'
import { errorType, kindOfErrorType, readError, STATUS_OF, type ErrorTypes } from '../http.ts'
import type { OverflowWords } from '../context-length.ts'

const TYPES: ErrorTypes = {
  'invalid-request': 'invalid_request_error',
  authentication: 'authentication_error',
  budget: 'billing_error',
  permission: 'permission_error',
  'not-found': 'not_found_error',
  'too-large': 'request_too_large',
  'rate-limit': 'rate_limit_error',
  'upstream-overloaded': 'overloaded_error',
  overloaded: 'overloaded_error',
  timeout: 'timeout_error',
  'request-timeout': 'timeout_error',
  server: 'api_error',
}

export function decodeError(status: number, body: string): DragomanError {
  return readError(status, body, decodeErrorBody, read)
}

/** An error inside a stream, which has no status. */
export function decodeErrorBody(body: unknown): DragomanError {
  const { message, facts } = read(body)
  const kind = kindOfErrorType(TYPES, facts.code) ?? 'upstream-error'
  return new DragomanError(kind, message ?? 'The upstream ended its stream with an error.', facts)
}

export function encodeError(error: DragomanError, requestId: string): { status: number; body: JsonObject } {
  const { kind } = error
  const status = kind === 'overloaded' ? 529 : STATUS_OF[kind]
  return { status, body: { ...encodeErrorBody(error), request_id: requestId } }
}

export function encodeErrorBody(error: DragomanError): JsonObject {
  const { kind, details } = error
  return { type: 'error', error: defined({ type: errorType(TYPES, kind), message: textOf(error), details }) }
}

function textOf({ kind, message, param }: DragomanError): string {
  if (kind === 'invalid-request' && LATE_SYSTEM.test(message)) return `${NO_SYSTEM} (${message})`
  return param === undefined || message.includes(param) ? message : `${param}: ${message}`
}

/** How the chat templates of open models refuse instructions in the middle of a conversation. */
const LATE_SYSTEM = /system message must be (?:at the beginning|the first)/i
/** Anthropic's words for it. Claude Code then sends its instructions in another way. */
const NO_SYSTEM = "messages.role: Input should be 'user' or 'assistant'"

function read(body: unknown): { readonly message: string | undefined; readonly facts: ErrorFacts } {
  const { message, type, details } = isObject(body) && isObject(body['error']) ? body['error'] : {}
  const { error_code, unsupported } = isObject(details) ? details : {}
  const names = Array.isArray(unsupported) ? unsupported.map(String) : undefined
  const own = typeof error_code === 'string' ? { details: defined({ error_code, unsupported: names }) } : {}
  return { message: optionalString(message), facts: { code: optionalString(type), ...own } }
}

/** Claude Code compacts the conversation after the second text, and lowers `max_tokens` after the first. */
export const OVERFLOW: OverflowWords = {
  own: /prompt is too long(?!: \d+,)|exceed context limit/,
  withOutput: (input, output, limit) =>
    `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${limit}, decrease input length or \`max_tokens\` and try again`,
  withInput: (input, limit) => `prompt is too long: ${input} tokens > ${limit} maximum`,
  plain: 'prompt is too long',
}
