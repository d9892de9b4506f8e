import { admitJson, matchPath } from '../paths.ts'
import type { Http } from '../protocol.ts'
import { IMAGE_PATHS, IMAGE_TARGETS } from './image-operations.ts'

export const http: Http = {
  base: '/api/v1',
  match: (method, path) => matchPath({ '/chat/completions': 'generate', ...IMAGE_PATHS }, '/models', method, path),
  admit(match, head) {
    if (match.operation === 'generate') admitJson(head, 'application/json')
  },
  forward: () => ({}),
  target: (operation) => IMAGE_TARGETS[operation] ?? { path: '/chat/completions', headers: {} },
}
