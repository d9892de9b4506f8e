import { isObject, numberOf } from '../../lib/json.ts'
import type { CountCodec } from '../protocol.ts'

/** The request may stand inside a member of its own. */
export const count: CountCodec = {
  request(body) {
    const inner = body['generateContentRequest'] ?? body['generate_content_request']
    return isObject(inner) ? inner : body
  },
  encode: (tokens) => ({ totalTokens: tokens }),
  decode: (body) => numberOf(body['totalTokens']),
}
