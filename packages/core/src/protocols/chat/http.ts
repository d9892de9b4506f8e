import type { Target } from '../context.ts'
import type { MediaCodec } from '../media.ts'
import { rateLimitHeaders } from '../openai.ts'
import { admitJson, matchPath, pathsOf } from '../http.ts'
import type { Http } from '../protocol.ts'
import { embedding } from './embedding.ts'
import { image } from './image.ts'
import { rerank } from './rerank.ts'

/** The calls that are not conversations, one line each. */
export const media = { image, embedding, rerank }

export const http: Http = {
  base: '/api/v1',
  // Clients of Cohere call the second version of its API.
  roots: { '/v1': '', '/v2/rerank': '/rerank' },
  match: (method, path) => matchPath(PATHS, '/models', method, path),
  admit({ operation }, head) {
    const target = TARGETS.get(operation)
    if (target !== undefined && target.body !== 'multipart') admitJson(head, 'application/json')
  },
  forward: () => ({}),
  target: (operation) => TARGETS.get(operation) ?? { path: CHAT, headers: {} },
  rateLimits: rateLimitHeaders,
}

const CHAT = '/chat/completions'
const PATHS = pathsOf({ [CHAT]: 'generate' }, Object.values(media))
/** Of two paths with the same operation, the first is that of upstreams. */
const TARGETS: ReadonlyMap<string, Target> = new Map([
  ...Object.entries(PATHS)
    .reverse()
    .map(([path, operation]) => [operation, { path, headers: {} }] as const),
  ...Object.values<Pick<MediaCodec, 'targets'>>(media).flatMap(({ targets = {} }) => Object.entries(targets)),
])
