import { isObject, parseJson, type Json, type JsonObject } from '../lib/json.ts'
import { valueAt } from '../lib/json-path.ts'
import { composeLosses } from './compose.ts'
import type { Quirk, RequestQuirks, Clamp, Condition, Replace, Rename } from './quirk.ts'
import { DragomanError } from './error.ts'
import type { Loss, Path } from './loss.ts'
import { edited, equal, pathsOf, entryFor, without, withValue } from './values.ts'
import type { ModelRequest } from './request.ts'

/** The quirks of a card for `translate`; undefined if there are none. */
export function prepareQuirks(quirks: readonly Quirk[] | undefined): RequestQuirks | undefined {
  if (quirks === undefined || quirks.length === 0) return undefined
  return {
    apply(request) {
      const quirked = applyQuirks(quirks, request)
      return {
        request: quirked.request,
        report: (encoding, original) => composeLosses(quirked.losses, encoding, original),
      }
    },
    rename: (wire) => encodeRenames(quirks, wire),
  }
}

/** A request with its quirks applied, and what they changed. */
export interface Quirked {
  readonly request: ModelRequest
  /** Paths refer to the request before any quirk. */
  readonly losses: readonly Loss[]
}

/** Applies the quirks to a request, one after another. Renames apply to the wire: see `encodeRenames`. */
export function applyQuirks(quirks: readonly Quirk[], request: ModelRequest): Quirked {
  let now: Quirked = { request, losses: [] }
  for (const quirk of quirks) {
    if (quirk.verb === 'rename' || !applies(quirk, now.request)) continue
    const edits = editsOf(quirk, now.request)
    if (edits.length === 0) continue
    const reason = `this upstream ${quirk.because ?? BECAUSE_OF[quirk.verb]}`
    const step = edits.map((edit) => lossOf(edit, now.request, reason))
    now = { request: patched(now.request, edits), losses: composeLosses(now.losses, step, request) }
  }
  return now
}

function applies({ when, unless }: { when?: Condition; unless?: Condition }, request: ModelRequest): boolean {
  return (when === undefined || holds(when, request)) && (unless === undefined || !holds(unless, request))
}

function holds(condition: Condition, request: ModelRequest): boolean {
  return [condition].flat().every((each) => {
    if (typeof each === 'string') return valueAt(request, each.split('.')) !== undefined
    return Object.entries(each).every(([path, value]) => equal(valueAt(request, path.split('.')), value))
  })
}

/** Sets the value at a path; undefined removes it. */
type Edit = readonly [path: Path, to?: unknown, reason?: string]

function editsOf(quirk: Exclude<Quirk, { verb: 'rename' }>, request: ModelRequest): readonly Edit[] {
  const paths = [quirk.at].flat().flatMap((pattern) => pathsOf(request, pattern))
  const present = paths.filter((path) => valueAt(request, path) !== undefined)
  switch (quirk.verb) {
    case 'drop':
      return present.map((path) => [path])
    case 'exclude':
      return present.slice(1).map((path) => [path])
    case 'default':
      return paths.filter((path) => valueAt(request, path) === undefined).map((path) => [path, quirk.to])
    case 'require':
      if (present.length > 0) return []
      throw new DragomanError('invalid-request', `${quirk.at} is required by this model.`, { param: quirk.at })
    case 'clamp':
      return present.flatMap((path) => clamped(quirk, path, valueAt(request, path)))
    case 'replace':
      return present.flatMap((path) => replaced(quirk, path, request))
    case 'instruct':
      return present.flatMap((path): Edit[] => {
        const text = quirk.text.replaceAll('{}', () => JSON.stringify(valueAt(request, path)))
        const message = { role: 'system', parts: [{ type: 'text', text }] }
        return [[path], [['messages', request.messages.length], message, 'asked of the model instead']]
      })
    case 'declare':
      return declared(request)
    default:
      return quirk satisfies never
  }
}

const BECAUSE_OF = {
  drop: 'does not take it',
  clamp: 'has a narrower range',
  default: 'needs it set',
  require: 'cannot do without it',
  exclude: 'does not take it together with another',
  replace: 'has another value for it',
  instruct: 'has no member for it',
  declare: 'refuses calls of tools that are not declared',
} as const

function clamped({ min, max }: Clamp, path: Path, value: unknown): Edit[] {
  if (Array.isArray(value)) {
    const surplus = [...value.keys()].slice(max ?? value.length)
    return surplus.length === value.length ? [[path]] : surplus.map((index) => [[...path, index]])
  }
  if (typeof value !== 'number') return []
  const raised = Math.max(value, min ?? value)
  const to = Math.min(raised, max ?? raised)
  return to === value ? [] : [[path, to]]
}

function replaced({ values, steps, as }: Replace, path: Path, request: ModelRequest): Edit[] {
  const value = valueAt(request, path)
  const step = typeof value === 'number' ? (steps?.find(([upTo]) => value <= upTo) ?? steps?.at(-1)) : undefined
  const to = step === undefined ? entryFor(value, values) : step[1]
  if (to === undefined) return []
  if (as === undefined) return equal(to, value) ? [] : [[path, to]]
  const target = as.split('.')
  return valueAt(request, target) === undefined ? [[target, to], [path]] : [[path]]
}

/** The tools that were called, if the request has none. The client knows none of them now, so none may be called. */
function declared({ messages, tools = [] }: ModelRequest): Edit[] {
  if (tools.length > 0) return []
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
  const names = new Set(calls.filter(({ by }) => by === 'client').map(({ name }) => name))
  if (names.size === 0) return []
  const named = [...names].map((name) => ({ type: 'function', name }))
  return [
    [['tools'], named],
    [['toolChoice'], { mode: 'none' }],
  ]
}

/** A value that was absent is reported at its first missing member, with everything under it. */
function lossOf([path, to, own]: Edit, request: ModelRequest, general: string): Loss {
  const reason = own ?? general
  if (to === undefined) return { kind: 'dropped', path, reason }
  const missing = path.findIndex((_key, index) => valueAt(request, path.slice(0, index + 1)) === undefined)
  if (missing < 0) return { kind: 'changed', path, to, reason }
  const whole = path.slice(missing + 1).reduceRight((inner, key) => ({ [key]: inner }), to as Json) // set by a quirk
  return { kind: 'added', path: path.slice(0, missing + 1), to: whole, reason }
}

/** A member that has become empty is removed. These three are always present. */
function patched(request: ModelRequest, edits: readonly Edit[]): ModelRequest {
  const pairs = edits.map(([path, to]) => [path, to] as const)
  return {
    messages: [],
    settings: {},
    delivery: {},
    ...(edited(request, pairs) as Pick<ModelRequest, 'model'> & Partial<ModelRequest>),
  } // the same request with some paths edited
}

/** A wire request with the upstream's own names. */
export function encodeRenames(quirks: readonly Quirk[], wire: JsonObject): JsonObject {
  return quirks.reduce((now, quirk) => (quirk.verb === 'rename' ? encodeRename(quirk, now) : now), wire)
}

/** The reverse: how the upstream reads those names. */
export function decodeRenames(quirks: readonly Quirk[], wire: JsonObject): JsonObject {
  return quirks.reduceRight((now, quirk) => (quirk.verb === 'rename' ? decodeRename(quirk, now) : now), wire)
}

/** The first member of a body that has another name at the upstream. */
export function renamedMember(quirks: readonly Quirk[], wire: JsonObject): string | undefined {
  const found = quirks.find((quirk) => quirk.verb === 'rename' && encodeRename(quirk, wire) !== wire)
  return found?.verb === 'rename' ? found.at : undefined
}

function encodeRename({ at, to, values }: Rename, wire: JsonObject): JsonObject {
  const from = at.split('.')
  const value = valueAt(wire, from)
  if (value === undefined) return wire
  const key = entryFor(value, values)
  if (to === undefined && key === undefined) return wire
  if (isObject(key)) return leavesOf(key).reduce((now, [path, leaf]) => put(now, path, leaf), take(wire, from))
  return put(take(wire, from), to?.split('.') ?? from, key ?? value)
}

function decodeRename({ at, to, values }: Rename, wire: JsonObject): JsonObject {
  const from = at.split('.')
  for (const [key, wireValue] of Object.entries(values ?? {})) {
    if (isObject(wireValue)) {
      const leaves = leavesOf(wireValue)
      if (!leaves.every(([path, leaf]) => equal(valueAt(wire, path), leaf))) continue
      return put(
        leaves.reduce((now, [path]) => take(now, path), wire),
        from,
        valueOf(key),
      )
    }
    const path = to?.split('.') ?? from
    if (equal(valueAt(wire, path), wireValue)) return put(take(wire, path), from, valueOf(key))
  }
  if (to === undefined) return wire
  const value = valueAt(wire, to.split('.'))
  return value === undefined ? wire : put(take(wire, to.split('.')), from, value)
}

/** The keys of `values` are words or, for booleans, their names. */
function valueOf(key: string): Json {
  const parsed = parseJson(key)
  return typeof parsed === 'boolean' ? parsed : key
}

function leavesOf(value: JsonObject): (readonly [Path, Json])[] {
  return Object.entries(value).flatMap(([key, inner]): (readonly [Path, Json])[] =>
    isObject(inner)
      ? leavesOf(inner).map(([path, leaf]) => [[key, ...path], leaf] as const)
      : [[[key], inner] as const],
  )
}

function put(wire: JsonObject, path: Path, value: Json): JsonObject {
  return withValue(wire, path, value) as JsonObject // an object with one member edited
}

function take(wire: JsonObject, path: Path): JsonObject {
  return without(wire, path) as JsonObject // as above
}
