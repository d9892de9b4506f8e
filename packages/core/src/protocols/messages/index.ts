import { inVendorWords } from '../context-length.ts'
import type { Protocol } from '../protocol.ts'
import type { MessagesResponse } from './answer-schema.ts'
import { messages as codec } from './codec.ts'
import { count } from './usage.ts'
import { http } from './http.ts'
import { takesLinked } from './media.ts'
import { listModels, showModel } from './models.ts'
import { OVERFLOW } from './error.ts'
import { relay } from './relay.ts'
import type { MessagesRequest } from './schema.ts'

/** The messages protocol: `/v1/messages`, with everything that a gateway needs. */
export const messages: Protocol<MessagesRequest, MessagesResponse> = {
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
}
