import { rateLimitHeaders } from '../openai.ts'
import { admitJson, matchPath } from '../http.ts'
import type { Http } from '../protocol.ts'

const PATHS = { '/responses': 'generate', '/responses/input_tokens': 'count' }

export const http: Http = {
  base: '/api/v1',
  roots: { '/v1': '' },
  // Chat has the same base and lists the models.
  match: (method, path) => matchPath(PATHS, '/models', method, path),
  admit(match, head) {
    if (match.operation === 'generate' || match.operation === 'count') admitJson(head, 'application/json')
  },
  forward: () => ({}),
  target: (operation) => ({ path: operation === 'count' ? '/responses/input_tokens' : '/responses', headers: {} }),
  rateLimits: rateLimitHeaders,
}
