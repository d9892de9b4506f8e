import { zodOf } from '../../lib/grammar/zod.ts'
import { chatChunk, chatResponse } from './answer-schema.ts'
import { chatRequest } from './schema.ts'

/** Chat completions: a request, a whole response, one chunk of a streamed response. */
export const chat = { request: zodOf(chatRequest), response: zodOf(chatResponse), streamEvent: zodOf(chatChunk) }
