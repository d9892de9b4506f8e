import type { DragomanError } from '../../ir/error.ts'
import type { JsonObject } from '../../lib/json.ts'
import { decodeErrorObject, encodeErrorObject, readErrorObject } from '../error-object.ts'
import { readError, STATUS_OF } from '../http.ts'
import type { OverflowWords } from '../context-length.ts'

export function decodeError(status: number, body: string): DragomanError {
  return readError(status, body, decodeErrorObject, readErrorObject)
}

export function encodeError(
  error: DragomanError,
  _requestId: string,
  operation?: string,
): { status: number; body: JsonObject } {
  const body = encodeErrorObject(error)
  // Clients of Cohere read the message at the top of the body.
  return { status: STATUS_OF[error.kind], body: operation === 'rerank' ? { message: error.message, ...body } : body }
}

/** Codex, opencode and others search for the code, others for the first sentence. */
export const OVERFLOW: OverflowWords = {
  own: /maximum context length|context window of this model|configured limit of/,
  withOutput: (input, output, limit) =>
    `This model's maximum context length is ${limit} tokens. However, you requested ${input + output} tokens (${input} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`,
  withInput: (input, limit) =>
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${input} tokens. Please reduce the length of the messages.`,
  plain: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
}
