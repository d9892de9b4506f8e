import { readCount } from '../../ir/usage.ts'
import { isObject, objectOf } from '../../lib/json.ts'
import type { CountCodec } from '../protocol.ts'

/** The request may be inside its own member. */
export const count: CountCodec = {
  request(body) {
    const { generateContentRequest, generate_content_request } = objectOf(body)
    const inner = generateContentRequest ?? generate_content_request
    return isObject(inner) ? inner : body
  },
  encode: (tokens) => ({ totalTokens: tokens }),
  decode: (body) => readCount(objectOf(body)['totalTokens'], {}),
}
