import type { Usage } from '../ir/usage.ts'
import { isObject, parseJson, type JsonObject } from '../lib/json.ts'
import { createSkimmedText } from '../lib/skim-json.ts'
import type { Tap } from './relay.ts'

/** What a whole answer with images says about itself. Its base64 is not among it: see `createSkimmedText`. */
export interface ImageFactsOf {
  readonly images: number
  readonly usage?: Usage | undefined
}

/** Reads a relayed answer that is not a stream. The bytes pass unchanged, and none of them are kept but the short ones. */
export function createImageTap(read: (body: JsonObject) => ImageFactsOf): Tap {
  const text = createSkimmedText()
  return {
    failed: undefined,
    push(chunk) {
      text.push(chunk)
      return chunk
    },
    end() {
      const body = parseJson(text.take())
      if (!isObject(body)) return { complete: false }
      const isError = body['error'] != null
      return { ...(isError ? undefined : read(body)), complete: true, isError }
    },
    betweenFrames: false,
    lineEnd: '\n',
    strips: false,
  }
}
