import { DragomanError } from '../ir/error.ts'
import type { Match } from './context.ts'
import type { Head } from './protocol.ts'

/** The operations with the method GET. */
const READING = ['models', 'model', 'base']

/** The operation of a path and method, if all paths are fixed except that of a single model. */
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
  if (method !== (READING.includes(operation) ? 'GET' : 'POST')) return 'method'
  return operation === 'model' ? { operation, model: one } : { operation }
}

/** Throws if the content type is not JSON; `byDefault` is the type of a body without one. */
export function admitJson(head: Head, byDefault: string): void {
  const param = 'content-type'
  if (/^application\/json\s*(;|$)/i.test(head.header(param) ?? byDefault)) return
  throw new DragomanError('media-type', 'The content-type header must be application/json.', { param })
}
