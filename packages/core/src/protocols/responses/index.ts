import { inVendorWords } from '../context-length.ts'
import { listModels, showModel } from '../openai.ts'
import type { Protocol } from '../protocol.ts'
import type { ResponsesResponse } from './answer-schema.ts'
import { responses as codec } from './codec.ts'
import { count } from './usage.ts'
import { http } from './http.ts'
import { OVERFLOW } from './error.ts'
import { references } from './references.ts'
import { relay } from './relay.ts'
import type { ResponsesRequest } from './schema.ts'

/** The responses protocol: `/responses`, with everything that a gateway needs. */
export const responses: Protocol<ResponsesRequest, ResponsesResponse> = {
  ...codec,
  error: {
    ...codec.error,
    encode: (error, requestId) => codec.error.encode(inVendorWords(error, OVERFLOW), requestId),
  },
  http,
  models: { list: listModels, one: showModel },
  relay,
  references,
  count,
}
