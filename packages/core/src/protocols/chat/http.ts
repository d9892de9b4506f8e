import { admitJson, matchPath } from '../paths.ts'
import type { Http } from '../protocol.ts'

export const http: Http = {
  base: '/api/v1',
  match: (method, path) => matchPath({ '/chat/completions': 'generate' }, '/models', method, path),
  admit(match, head) {
    if (match.operation === 'generate') admitJson(head, 'application/json')
  },
  forward: () => ({}),
  target: () => ({ path: '/chat/completions', headers: {} }),
}
