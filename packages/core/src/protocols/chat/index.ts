import { inVendorWords } from '../context-length.ts'
import { listModels, showModel } from '../openai.ts'
import type { Protocol } from '../protocol.ts'
import type { ChatResponse } from './answer-schema.ts'
import { chat as codec } from './codec.ts'
import { http, media } from './http.ts'
import { takesLinked } from './media.ts'
import { OVERFLOW } from './error.ts'
import { relay } from './relay.ts'
import type { ChatRequest } from './schema.ts'

/** The chat completions protocol: `/chat/completions`, with everything that a gateway needs. */
export const chat: Protocol<ChatRequest, ChatResponse> = {
  ...codec,
  error: {
    ...codec.error,
    encode: (error, requestId, operation) => codec.error.encode(inVendorWords(error, OVERFLOW), requestId, operation),
  },
  http,
  models: { list: listModels, one: showModel },
  relay,
  takesLinked,
  ...media,
}
