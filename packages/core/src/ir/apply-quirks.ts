import { isEmpty, isObject, type Json } from '../lib/json.ts'
import { composeLosses } from './compose.ts'
import { DragomanError } from './error.ts'
import type { Loss, Path } from './loss.ts'
import { equal, pathsOf, valueAt, withValue, wordOf } from './place.ts'
import type { Clamp, Condition, Instruct, Quirk, Replace } from './quirk.ts'
import type { Request } from './request.ts'

/** A request after its quirks, and what they changed. */
export interface Quirked {
  readonly request: Request
  /** Paths refer to the request as it was before any quirk. */
  readonly losses: readonly Loss[]
}

/** What the upstream gets of a request, one quirk after another. Renames are the wire's: see `encodeRenames`. */
export function applyQuirks(quirks: readonly Quirk[], request: Request): Quirked {
  let now: Quirked = { request, losses: [] }
  for (const quirk of quirks) {
    if (quirk.verb === 'rename' || !applies(quirk, now.request)) continue
    const step = stepOf(quirk, now.request)
    if (step.length > 0) {
      const losses = composeLosses(now.losses, step, request)
      // From the right, so that elements of one list go from its end.
      now = { request: step.reduceRight(patched, now.request), losses }
    }
  }
  return now
}

function applies({ when, unless }: { when?: Condition; unless?: Condition }, request: Request): boolean {
  return (when === undefined || holds(when, request)) && (unless === undefined || !holds(unless, request))
}

function holds(condition: Condition, request: Request): boolean {
  return [condition].flat().every((each) => {
    if (typeof each === 'string') return valueAt(request, each.split('.')) !== undefined
    return Object.entries(each).every(([place, value]) => equal(valueAt(request, place.split('.')), value))
  })
}

type Step = Exclude<Loss, { kind: 'merged' | 'moved' }>

/** A quirk as the losses that it means; together they are the patch that it makes. */
function stepOf(quirk: Exclude<Quirk, { verb: 'rename' }>, request: Request): readonly Step[] {
  const reason = `this upstream ${quirk.because ?? BECAUSE_OF[quirk.verb]}`
  switch (quirk.verb) {
    case 'drop':
      return [quirk.at].flat().flatMap((place) => present(request, place).map((path) => dropped(path, reason)))
    case 'clamp':
      return present(request, quirk.at).flatMap((path) => clamped(quirk, path, valueAt(request, path), reason))
    case 'default':
      return pathsOf(request, quirk.at).flatMap((path) =>
        valueAt(request, path) === undefined ? [added(request, path, quirk.to, reason)] : [],
      )
    case 'require':
      if (present(request, quirk.at).length > 0) return []
      throw new DragomanError('invalid-request', `${quirk.at} is required by this model.`, { param: quirk.at })
    case 'exclude':
      return quirk.at
        .flatMap((place) => present(request, place))
        .slice(1)
        .map((path) => dropped(path, reason))
    case 'replace':
      return present(request, quirk.at).flatMap((path) => replaced(quirk, path, request, reason))
    case 'instruct':
      return present(request, quirk.at).flatMap((path) => instructed(quirk, path, request, reason))
    default:
      return quirk satisfies never
  }
}

const BECAUSE_OF = {
  drop: 'does not take it',
  clamp: 'has a narrower range',
  default: 'wants it said',
  require: 'cannot do without it',
  exclude: 'does not take it together with another',
  replace: 'has another word for it',
  instruct: 'has no member for it',
} as const

function present(request: Request, place: string): Path[] {
  return pathsOf(request, place).filter((path) => valueAt(request, path) !== undefined)
}

function clamped({ min, max }: Clamp, path: Path, value: unknown, reason: string): Step[] {
  if (Array.isArray(value)) {
    const surplus = [...value.keys()].slice(max ?? value.length)
    return surplus.length === value.length
      ? [dropped(path, reason)]
      : surplus.map((index) => dropped([...path, index], reason))
  }
  if (typeof value !== 'number') return []
  const to = Math.min(Math.max(value, min ?? value), max ?? Math.max(value, min ?? value))
  return to === value ? [] : [{ kind: 'changed', path, to, reason }]
}

function replaced({ values, steps, as }: Replace, path: Path, request: Request, reason: string): Step[] {
  const value = valueAt(request, path)
  const word = wordOf(value)
  const to =
    typeof value === 'number' && steps !== undefined
      ? (steps.find(([upTo]) => value <= upTo) ?? steps.at(-1))?.[1]
      : word !== undefined && values !== undefined && Object.hasOwn(values, word)
        ? values[word]
        : undefined
  if (to === undefined || (as === undefined && equal(to, value))) return []
  if (as === undefined) return [{ kind: 'changed', path, to, reason }]
  const target = as.split('.')
  const taken = valueAt(request, target) !== undefined
  return [...(taken ? [] : [added(request, target, to, reason)]), dropped(path, reason)]
}

function instructed({ text }: Instruct, path: Path, request: Request, reason: string): Step[] {
  const said = text.replaceAll('{}', () => JSON.stringify(valueAt(request, path)))
  const message = { role: 'system', parts: [{ type: 'text', text: said }] }
  return [
    dropped(path, reason),
    { kind: 'added', path: ['messages', request.messages.length], to: message, reason: 'asked of the model instead' },
  ]
}

function dropped(path: Path, reason: string): Step {
  return { kind: 'dropped', path, reason }
}

/** Reported at the first member that is not there, with everything under it. */
function added(request: Request, path: Path, value: Json, reason: string): Step {
  const missing = path.findIndex((_key, index) => valueAt(request, path.slice(0, index + 1)) === undefined)
  const to = path.slice(missing + 1).reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
  return { kind: 'added', path: path.slice(0, missing + 1), to, reason }
}

function patched(request: Request, step: Step): Request {
  const value = step.kind === 'dropped' ? undefined : step.to
  const next = withValue(request, step.path, value) as Request // the same request with one place edited
  return step.kind === 'dropped' ? swept(next, step.path.slice(0, -1)) : next
}

/** A member that holds nothing any more is not said at all; settings and delivery are always there. */
function swept(request: Request, path: Path): Request {
  const value = valueAt(request, path)
  const hollow = Array.isArray(value) ? value.length === 0 : isObject(value) && isEmpty(value)
  if (path.length === 0 || !hollow || ALWAYS.has(path.join('.'))) return request
  return swept(withValue(request, path, undefined) as Request, path.slice(0, -1)) // as above
}

const ALWAYS: ReadonlySet<string> = new Set(['settings', 'delivery', 'messages'])
