import { zodOf } from '../../lib/grammar/zod.ts'
import { messagesEvent, messagesResponse } from './answer-schema.ts'
import { messagesRequest } from './schema.ts'

/** Messages: a request, a whole response, one event of a streamed response. */
export const messages = {
  request: zodOf(messagesRequest),
  response: zodOf(messagesResponse),
  streamEvent: zodOf(messagesEvent),
}
