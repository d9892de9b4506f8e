import type { ErrorKind } from '../../ir/error.ts'
import { keepExtras } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { VideoFailure } from '../../ir/video.ts'
import { isObject, merge, numberOf, optionalString } from '../../lib/json.ts'
import { NAME } from './schema.ts'
import type { WireStatus } from './video-schema.ts'

/** The code of google.rpc.Status for each kind of error. */
const CODE_OF: { readonly [Kind in ErrorKind]: number } = {
  cancelled: 1,
  'upstream-error': 2,
  'invalid-request': 3,
  unsupported: 3,
  'media-type': 3,
  'too-large': 3,
  'headers-too-large': 3,
  expectation: 3,
  unprocessable: 3,
  timeout: 4,
  'request-timeout': 4,
  'not-found': 5,
  conflict: 10,
  permission: 7,
  'rate-limit': 8,
  budget: 8,
  method: 12,
  upgrade: 12,
  internal: 13,
  upstream: 13,
  interrupted: 14,
  overloaded: 14,
  unavailable: 14,
  'upstream-overloaded': 14,
  authentication: 16,
}

/** The kind of each code, also of those that no kind is written as. */
const KIND_OF: ReadonlyMap<number, ErrorKind> = new Map([
  [1, 'cancelled'],
  [2, 'upstream-error'],
  [3, 'invalid-request'],
  [4, 'timeout'],
  [5, 'not-found'],
  [6, 'conflict'],
  [7, 'permission'],
  [8, 'rate-limit'],
  [9, 'invalid-request'],
  [10, 'conflict'],
  [11, 'invalid-request'],
  [12, 'method'],
  [13, 'internal'],
  [14, 'unavailable'],
  [16, 'authentication'],
])

/** The error of an operation. A code that its kind is not written as is kept. */
export function decodeStatus(wire: WireStatus): VideoFailure {
  const { code, message, ...rest } = wire
  const kind = KIND_OF.get(numberOf(code) ?? 0) ?? 'upstream-error'
  const kept = code === undefined || code === CODE_OF[kind] ? rest : { ...rest, code }
  return { kind, message: optionalString(message) ?? 'The upstream failed.', ...keepExtras(NAME, kept) }
}

export function encodeStatus(error: VideoFailure, losses: Losses): WireStatus {
  const { kind, message, extras } = error
  const { code: kept, ...rest } = extras?.[NAME] ?? {}
  const code = numberOf(kept) ?? CODE_OF[kind]
  const read = KIND_OF.get(code) ?? 'upstream-error'
  if (read !== kind) losses.changed(['kind'], read, 'google.rpc.Status has one code for several kinds')
  reportForeignExtras(extras, NAME, losses)
  return merge({ code, message }, isObject(rest) ? rest : undefined)
}
