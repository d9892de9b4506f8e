// The grammar of each wire, as zod schemas and therefore as Standard Schemas. All checks, types and known names of this package
// are derived from them.
import { zodOf } from './lib/grammar/zod.ts'
import { chatChunk, chatResponse } from './protocols/chat/answer-schema.ts'
import { chatRequest } from './protocols/chat/schema.ts'
import { genaiResponse } from './protocols/genai/answer-schema.ts'
import { genaiRequest } from './protocols/genai/schema.ts'
import { messagesEvent, messagesResponse } from './protocols/messages/answer-schema.ts'
import { messagesRequest } from './protocols/messages/schema.ts'

/** Chat completions: a request, a whole response, one chunk of a streamed response. */
export const chat = { request: zodOf(chatRequest), response: zodOf(chatResponse), streamEvent: zodOf(chatChunk) }
/** Messages: a request, a whole response, one event of a streamed response. */
export const messages = {
  request: zodOf(messagesRequest),
  response: zodOf(messagesResponse),
  streamEvent: zodOf(messagesEvent),
}
/** Generate content: a request, a whole response, one chunk of a streamed response. */
export const genai = { request: zodOf(genaiRequest), response: zodOf(genaiResponse), streamEvent: zodOf(genaiResponse) }

export type { Closed } from './lib/grammar/closed.ts'
