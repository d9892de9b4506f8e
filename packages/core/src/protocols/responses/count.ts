import { readCount } from '../../ir/usage.ts'
import { objectOf } from '../../lib/json.ts'
import type { CountCodec } from '../protocol.ts'

/** A request that is only counted has the members of any other. */
export const count: CountCodec = {
  request: (body) => body,
  encode: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  decode: (body) => readCount(objectOf(body)['input_tokens'], {}),
}
