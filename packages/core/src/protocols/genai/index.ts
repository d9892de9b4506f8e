import { inVendorWords } from '../context-length.ts'
import type { Protocol } from '../protocol.ts'
import type { GenaiResponse } from './answer-schema.ts'
import { genai as codec } from './codec.ts'
import { count } from './usage.ts'
import { http, media } from './http.ts'
import { takesLinked } from './media.ts'
import { listModels, showModel } from './models.ts'
import { OVERFLOW } from './error.ts'
import { relay } from './relay.ts'
import type { GenaiRequest } from './schema.ts'

/** The generate content protocol: `:generateContent`, `:streamGenerateContent` and `:predict`, with everything that a gateway needs. */
export const genai: Protocol<GenaiRequest, GenaiResponse> = {
  ...codec,
  error: {
    ...codec.error,
    encode: (error, requestId) => codec.error.encode(inVendorWords(error, OVERFLOW), requestId),
  },
  http,
  models: { list: listModels, one: showModel },
  relay,
  takesLinked,
  count,
  ...media,
}
