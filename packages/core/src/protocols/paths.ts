import { DragomanError } from '../ir/error.ts'
import type { Head, Match } from './protocol.ts'

/** What a path and its method ask for, where every path is fixed but that of one model. */
export function matchPath(
  paths: { readonly [path: string]: string },
  models: string,
  method: string,
  path: string,
): Match | 'method' | undefined {
  const one = path.startsWith(`${models}/`) ? path.slice(models.length + 1) : ''
  const operation =
    path === models ? 'models' : one !== '' ? 'model' : Object.hasOwn(paths, path) ? paths[path] : undefined
  if (operation === undefined) return undefined
  if (method !== (operation === 'models' || operation === 'model' ? 'GET' : 'POST')) return 'method'
  return operation === 'model' ? { operation, model: one } : { operation }
}

/** Throws for a body that says it is something else than JSON; `unsaid` is what it is when it says nothing. */
export function admitJson(head: Head, unsaid: string): void {
  const param = 'content-type'
  if (/^application\/json\s*(;|$)/i.test(head.header(param) ?? unsaid)) return
  throw new DragomanError('media-type', 'The content-type header must be application/json.', { param })
}
