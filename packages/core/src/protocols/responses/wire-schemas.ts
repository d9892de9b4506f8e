import { zodOf } from '../../lib/grammar/zod.ts'
import { responsesEvent, responsesResponse } from './answer-schema.ts'
import { responsesRequest } from './schema.ts'

/** Responses: a request, a whole response, one event of a streamed response. */
export const responses = {
  request: zodOf(responsesRequest),
  response: zodOf(responsesResponse),
  streamEvent: zodOf(responsesEvent),
}
