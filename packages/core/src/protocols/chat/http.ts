import { rateLimitHeaders } from '../openai.ts'
import { admitJson, matchPath } from '../http.ts'
import type { Http } from '../protocol.ts'
import { IMAGE_PATHS, IMAGE_TARGETS } from './image-operations.ts'

export const http: Http = {
  base: '/api/v1',
  roots: { '/v1': '' },
  match: (method, path) => matchPath(PATHS, '/models', method, path),
  admit(match, head) {
    if (match.operation === 'generate' || match.operation === 'embedding') admitJson(head, 'application/json')
  },
  forward: () => ({}),
  target: (operation) =>
    IMAGE_TARGETS[operation] ?? { path: operation === 'embedding' ? EMBEDDINGS : CHAT, headers: {} },
  rateLimits: rateLimitHeaders,
}

const CHAT = '/chat/completions'
const EMBEDDINGS = '/embeddings'
const PATHS = { [CHAT]: 'generate', [EMBEDDINGS]: 'embedding', ...IMAGE_PATHS }
