import { zodOf } from '../../lib/grammar/zod.ts'
import { genaiResponse } from './answer-schema.ts'
import { predictRequest, predictResponse } from './image-schema.ts'
import { genaiRequest } from './schema.ts'
import { videoRequest } from './video-schema.ts'

/** Generate content: a request, a whole response, one chunk of a streamed response; requests for images and their answers; and a request for videos. */
export const genai = {
  request: zodOf(genaiRequest),
  response: zodOf(genaiResponse),
  streamEvent: zodOf(genaiResponse),
  image: zodOf(predictRequest),
  imageResponse: zodOf(predictResponse),
  video: zodOf(videoRequest),
}
