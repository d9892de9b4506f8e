import { DragomanError } from '../ir/error.ts'
import { isObject, optionalString, parseJson } from '../lib/json.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { statusError } from '../protocols/http.ts'
import { reportForeignRequest } from '../ir/foreign-extras.ts'
import type { ImageRequest } from '../ir/image.ts'
import type { Losses } from '../ir/loss.ts'

/** The name of the endpoint whose API is the provider's own: `endpoints: { own: '.' }`. */
export const OWN = 'own'

/**
 * Stands for the protocol of an upstream whose API is its own, in places that need one. Drivers call such an upstream: it has no
 * conversations, and no client speaks it.
 */
export const ownApi: Protocol = {
  name: OWN,
  issuer: OWN,
  request: {
    check: unsupported,
    decode: unsupported,
    encode: unsupported,
    showsReasoning: false,
    history: '',
    names: unsupported,
    refused: {},
  },
  response: { decode: unsupported, encode: unsupported },
  stream: { decode: unsupported, encode: unsupported, keepAlive: () => '', contentType: () => 'text/event-stream' },
  error: { decode: decodeError, encode: unsupported },
  http: { base: '', match: () => undefined, admit: () => undefined, forward: () => ({}), target: unsupported },
  models: { list: unsupported, one: unsupported },
  relay: {
    peek: unsupported,
    edits: unsupported,
    choosers: [],
    obstacle: () => 'its API is its own',
    tap: unsupported,
  },
}

function unsupported(): never {
  throw new DragomanError('unsupported', 'The model has no conversations: it can only be used for media.', {
    param: 'model',
  })
}

/** The message of an error, where APIs commonly have it. */
function decodeError(status: number, body: string): DragomanError {
  const wire = parseJson(body)
  const error: unknown = isObject(wire) ? (wire['error'] ?? wire) : undefined
  const { message, code } = isObject(error) ? error : {}
  const text = optionalString(error) ?? optionalString(message)
  return statusError(status, text, { code: typeof code === 'number' ? String(code) : optionalString(code) })
}

/** Reports what no own API takes: members of protocols, and the numbers of given images. */
export function reportImageExtras(request: ImageRequest, losses: Losses): void {
  reportForeignRequest(request, OWN, losses)
  for (const [index, { id }] of (request.references ?? []).entries())
    if (id !== undefined) losses.dropped(['references', index, 'id'], 'images have no numbers here')
}
