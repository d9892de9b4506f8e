import { readCount } from '../../ir/usage.ts'
import { objectOf } from '../../lib/json.ts'
import type { CountCodec } from '../protocol.ts'

/** A request that is only counted needs no limit. */
export const count: CountCodec = {
  request: (body) => ({ max_tokens: 1, ...body }),
  encode: (tokens) => ({ input_tokens: tokens }),
  decode: (body) => readCount(objectOf(body)['input_tokens'], {}),
}
