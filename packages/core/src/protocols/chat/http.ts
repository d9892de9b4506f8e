import { DragomanError } from '../../ir/error.ts'
import type { Http } from '../protocol.ts'

export const http: Http = {
  base: '/api/v1',
  match(method, path) {
    if (path === '/chat/completions') return method === 'POST' ? { operation: 'generate' } : 'method'
    if (path === '/models') return method === 'GET' ? { operation: 'models' } : 'method'
    if (path.startsWith('/models/') && path.length > 8) {
      return method === 'GET' ? { operation: 'model', model: path.slice(8) } : 'method'
    }
    return undefined
  },
  admit(match, head) {
    if (match.operation !== 'generate') return
    const type = head.header('content-type')
    if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
      throw new DragomanError('media-type', 'The content-type header must be application/json.', {
        param: 'content-type',
      })
    }
  },
  forward: () => ({}),
  target: () => ({ path: '/chat/completions', headers: {} }),
}
