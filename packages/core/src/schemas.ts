// The grammar of each wire, as zod schemas and therefore as Standard Schemas. All checks, types and known names of this package
// are derived from them.
import { zodOf } from './lib/grammar/zod.ts'
import { chatChunk, chatResponse } from './protocols/chat/answer-schema.ts'
import { chatRequest } from './protocols/chat/schema.ts'
import { messagesEvent, messagesResponse } from './protocols/messages/answer-schema.ts'
import { messagesRequest } from './protocols/messages/schema.ts'
import { genaiResponse } from './protocols/genai/answer-schema.ts'
import { predictRequest, predictImagesAnswer } from './protocols/genai/image-schema.ts'
import { genaiRequest } from './protocols/genai/schema.ts'
import { videoRequest } from './protocols/genai/video-schema.ts'
import { responsesEvent, responsesResponse } from './protocols/responses/answer-schema.ts'
import { responsesRequest } from './protocols/responses/schema.ts'

export { zodOf } from './lib/grammar/zod.ts'
export type { Closed } from './lib/literal.ts'

/** Chat completions: a request, a whole response, one chunk of a streamed answer. */
export const chat = { request: zodOf(chatRequest), response: zodOf(chatResponse), streamEvent: zodOf(chatChunk) }

/** Messages: a request, a whole response, one event of a streamed answer. */
export const messages = {
  request: zodOf(messagesRequest),
  response: zodOf(messagesResponse),
  streamEvent: zodOf(messagesEvent),
}

/**
 * Generate content: a request, a whole response, one chunk of a streamed answer; requests for images and their answers; and a request for
 * videos.
 */
export const genai = {
  request: zodOf(genaiRequest),
  response: zodOf(genaiResponse),
  streamEvent: zodOf(genaiResponse),
  image: zodOf(predictRequest),
  imageAnswer: zodOf(predictImagesAnswer),
  video: zodOf(videoRequest),
}

/** Responses: a request, a whole response, one event of a streamed answer. */
export const responses = {
  request: zodOf(responsesRequest),
  response: zodOf(responsesResponse),
  streamEvent: zodOf(responsesEvent),
}
