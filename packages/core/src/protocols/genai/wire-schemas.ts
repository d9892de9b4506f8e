import { zodOf } from '../../lib/grammar/zod.ts'
import { genaiResponse } from './answer-schema.ts'
import { genaiRequest } from './schema.ts'
import { videoRequest } from './video-schema.ts'

/** Generate content: a request, a whole response, one chunk of a streamed response; and a request for videos. */
export const genai = {
  request: zodOf(genaiRequest),
  response: zodOf(genaiResponse),
  streamEvent: zodOf(genaiResponse),
  video: zodOf(videoRequest),
}
