import { DragomanError } from '../../ir/error.ts'
import type { Match } from '../context.ts'
import { pathsOf } from '../http.ts'
import type { Http } from '../protocol.ts'
import { embedding } from './embedding.ts'
import { ARRAY } from './encode-stream.ts'
import { image } from './image.ts'
import { video } from './video.ts'

/** The calls that are not conversations, one line each. */
export const media = { image, embedding, video }

/** A version, then optionally a project, a publisher and `models`, then the model and the action. LiteLLM adds no version before `models`. */
const PATH =
  /^(?:\/v1(?:alpha|beta1?)?|(?=\/models(?:\/|$)))(?:\/projects\/[^/]+\/locations\/[^/]+)?(?:\/publishers\/([^/]+))?(\/models)?(?:\/(.+))?$/

/** The publisher that the official SDK adds to a model name without a provider. */
const SDK_PUBLISHER = 'google'

export const http: Http = {
  base: '/api/vertex-ai',
  roots: { '/v1': '/v1', '/v1alpha': '/v1alpha', '/v1beta': '/v1beta', '/v1beta1': '/v1beta1' },
  isClient: (head) => head.header('x-goog-api-client') !== undefined,
  match(method, path, query) {
    if (path === video.results) return method === 'GET' ? { operation: 'result' } : 'method'
    const [found, publisher, models, rest] = PATH.exec(path) ?? []
    if (found === undefined || (models ?? rest) === undefined) return undefined
    if (rest === undefined) return method === 'GET' ? { operation: 'models' } : 'method'
    const colon = rest.lastIndexOf(':')
    const action = colon < 0 ? undefined : matchAction(rest.slice(colon + 1), query)
    // LangChain and the Vercel AI SDK leave out `models` before a model with a slash. Without an action, such a path is not one of a model.
    if (models === undefined && action === undefined) return undefined
    const name = action === undefined ? rest : rest.slice(0, colon)
    const model = publisher === undefined ? name : `${publisher}/${name}`
    const named = publisher === SDK_PUBLISHER ? { model, withoutPublisher: name } : { model }
    if (action !== undefined) return method === 'POST' ? { ...action, ...named } : 'method'
    if (method === 'GET') return { operation: 'model', ...named }
    return colon < 0 ? 'method' : undefined
  },
  admit(match, head) {
    if (match.operation !== 'generate' && !ACTION_OF.has(match.operation)) return
    const type = head.header('content-type')
    if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
      throw new DragomanError('media-type', 'The content-type header must be application/json.', {
        param: 'content-type',
      })
    }
  },
  forward: () => ({}),
  target(operation, model, stream) {
    const name = model.split('/').map(encodeURIComponent).join('/')
    const generate = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    const action = ACTION_OF.get(operation) ?? generate
    return { path: `/models/${name}:${action}`, headers: {} }
  },
  // Without `rateLimits`: Google sends no such headers. A refusal has its delay in `RetryInfo`.
}

/** The operations by the last part of their paths; generation has more than one. */
const ACTIONS = pathsOf({ countTokens: 'count' }, Object.values(media))
const ACTION_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(ACTIONS).map(([action, operation]) => [operation, action]),
)

function matchAction(action: string, query: URLSearchParams): Match | undefined {
  if (action === 'generateContent') return { operation: 'generate', stream: false }
  if (action === 'streamGenerateContent')
    return query.get('alt') === 'sse'
      ? { operation: 'generate', stream: true }
      : { operation: 'generate', stream: true, framing: ARRAY }
  const operation = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  return operation === undefined ? undefined : { operation }
}
