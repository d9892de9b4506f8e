import { DragomanError, type ErrorFacts, type ErrorKind } from '../ir/error.ts'
import { isObject, parseJson, type Json, type JsonObject } from '../lib/json.ts'
import type { Match } from './context.ts'
import type { MediaCodec } from './media.ts'
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

/** The operations of all codecs by their paths, after those of the protocol itself. */
export function pathsOf(
  own: MediaCodec['paths'],
  codecs: readonly Pick<MediaCodec, 'paths'>[],
): { readonly [path: string]: string } {
  return Object.fromEntries([own, ...codecs.map(({ paths }) => paths)].flatMap(Object.entries<string>))
}

/** The HTTP status of each kind of error; a protocol overrides the few that differ. */
export const STATUS_OF: { readonly [Kind in ErrorKind]: number } = {
  'invalid-request': 400,
  unsupported: 400,
  authentication: 401,
  budget: 402,
  permission: 403,
  'not-found': 404,
  method: 405,
  'request-timeout': 408,
  conflict: 409,
  'too-large': 413,
  'media-type': 415,
  expectation: 417,
  unprocessable: 422,
  upgrade: 426,
  'rate-limit': 429,
  'headers-too-large': 431,
  cancelled: 499,
  internal: 500,
  'upstream-error': 500,
  upstream: 502,
  interrupted: 502,
  overloaded: 503,
  unavailable: 503,
  timeout: 504,
  'upstream-overloaded': 529,
}

const KIND_OF: { readonly [status: number]: ErrorKind } = {
  400: 'invalid-request',
  401: 'authentication',
  402: 'budget',
  403: 'permission',
  404: 'not-found',
  405: 'method',
  408: 'timeout',
  409: 'conflict',
  413: 'too-large',
  415: 'media-type',
  422: 'unprocessable',
  429: 'rate-limit',
  500: 'upstream-error',
  503: 'unavailable',
  504: 'timeout',
  529: 'upstream-overloaded',
}

/** The kind of an upstream's status. Server errors that no protocol here has are errors of a proxy between us and the upstream. */
export function kindOfStatus(status: number): ErrorKind {
  return KIND_OF[status] ?? (status >= 400 && status < 500 ? 'invalid-request' : 'upstream')
}

/** Whether an error came with the status of a success. Then its meaning is in its body. */
function isErrorInside(status: number, body: Json | undefined): body is JsonObject {
  return status >= 200 && status < 300 && isObject(body) && isErrorBody(body)
}

/** Whether a body is an error, also one without the wrapper object. No protocol has these members beside a response or its chunks. */
export function isErrorBody(body: object): boolean {
  const { error, object, message, type, code, choices } = body as { readonly [member: string]: unknown } // parsed JSON
  if (error != null || object === 'error') return true
  return typeof message === 'string' && choices === undefined && (type ?? code) != null
}

/** The error types of a protocol: its own for a kind, or one for all client errors and one for all server errors. */
export type ErrorTypes = { readonly [Kind in ErrorKind | 'server']?: string }

/** The error type for a kind: its own, or the general one. */
export function errorType(types: ErrorTypes, kind: ErrorKind): string {
  return types[kind] ?? (STATUS_OF[kind] < 499 ? types['invalid-request'] : types.server) ?? ''
}

/** The kind of an error type; undefined for a general one. */
export function kindOfErrorType(types: ErrorTypes, type: string | undefined): ErrorKind | undefined {
  const kinds = Object.keys(types) as (keyof ErrorTypes)[] // its own members
  const kind = kinds.find((each) => types[each] === type)
  return kind === 'server' ? undefined : kind
}

/** Reads an upstream's error: one with the status of a success by its body alone. */
export function readError(
  status: number,
  body: string,
  decodeBody: (body: JsonObject) => DragomanError,
  read: (body: Json | undefined) => { readonly message?: string | undefined; readonly facts: ErrorFacts },
): DragomanError {
  const wire = parseJson(body)
  if (isErrorInside(status, wire)) return decodeBody(wire)
  const { message, facts } = read(wire)
  return statusError(status, message, facts)
}

/** The error of an upstream's answer that is not a success. */
export function statusError(status: number, message: string | undefined, facts: ErrorFacts): DragomanError {
  return new DragomanError(kindOfStatus(status), message ?? `The upstream answered with status ${status}.`, facts)
}
