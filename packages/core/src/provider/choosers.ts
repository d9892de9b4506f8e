import { DragomanError } from '../ir/error.ts'
import type { Chooser } from '../ir/model.ts'
import { isObject, type Json, type JsonObject } from '../lib/json.ts'
import type { Edits } from '../lib/top-level.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { Wrong } from '../lib/check-value.ts'

/** The known choosers of routers and proxies: refused if a provider does not list its own. */
const OF_ROUTERS: readonly Chooser[] = [
  'models',
  'route',
  'preset',
  'plugins',
  'fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'user_config',
  'extra_body',
  'provider_options',
]

/**
 * Refuses a body that could make its upstream use another model than the admitted one. Names are compared loosely, because some
 * upstreams ignore case.
 *
 * Returns further edits for a relay; `edits` are those that it makes anyway. Another parser may read the first of two members with the
 * same name, so each examined member is sent as it was read here: once, or not at all if it was null.
 */
export function refuseChoosers(
  { relay, request }: Protocol,
  body: JsonObject,
  choosers: readonly Chooser[] = OF_ROUTERS,
  edits: Edits = {},
): Edits {
  const paths = [...relay.choosers, ...choosers].map(pathOf)
  const further: { [member: string]: string | null } = {}
  for (const member of Object.keys(body)) {
    if (Object.hasOwn(edits, member)) continue
    const value = body[member]
    for (const { steps, begins } of paths) {
      if (!isNamed(member, steps[0] ?? '')) continue
      const found = findChooser(value, steps, 1, begins)
      if (found !== undefined) throw refusal([member, ...found].join('.'))
      // The history is long and is forwarded as received.
      if (member !== request.history) further[member] = value === null ? null : JSON.stringify(value)
    }
  }
  return further
}

/** Throws if a list of choosers is invalid. */
export function checkChoosers(choosers: unknown, path: string, wrong: Wrong): void {
  if (!Array.isArray(choosers)) throw wrong(path, 'must be a list of paths')
  for (const [index, chooser] of (choosers as readonly unknown[]).entries()) {
    const at = isObject(chooser) ? chooser['at'] : chooser
    if (typeof at !== 'string' || !/^[^.*\s]+(\.(\*|[^.*\s]+))*$/.test(at))
      throw wrong(`${path}.${index}`, 'must be a path such as "models" or "tools.*.model"')
  }
}

interface Path {
  readonly steps: readonly string[]
  /** The prefix of the text at its end; absent if any value chooses. */
  readonly begins: string | undefined
}

function pathOf(chooser: Chooser): Path {
  const { at, begins } = typeof chooser === 'string' ? { at: chooser, begins: undefined } : chooser
  return { steps: at.split('.').map(fold), begins: begins === undefined ? undefined : fold(begins) }
}

/** Whether the path leads to a value, from one of its steps on. */
function findChooser(
  value: Json | undefined,
  steps: readonly string[],
  index: number,
  begins: string | undefined,
): readonly (string | number)[] | undefined {
  const step = steps[index]
  if (value === null || value === undefined) return undefined
  if (step === undefined) return begins === undefined || startsWith(value, begins) ? [] : undefined
  if (step === '*') {
    if (!Array.isArray(value)) return undefined
    for (const [position, entry] of (value as readonly Json[]).entries()) {
      const found = findChooser(entry, steps, index + 1, begins)
      if (found !== undefined) return [position, ...found]
    }
    return undefined
  }
  if (!isObject(value)) return undefined
  for (const member in value) {
    const found = isNamed(member, step) ? findChooser(value[member], steps, index + 1, begins) : undefined
    if (found !== undefined) return [member, ...found]
  }
  return undefined
}

function startsWith(value: Json, begins: string): boolean {
  return typeof value === 'string' && fold(value).startsWith(begins)
}

function isNamed(member: string, folded: string): boolean {
  return member === folded || (member.length >= folded.length && fold(member) === folded)
}

/** Without case, dashes and underscores. To upper case and back, so that the long s (ſ) and the Kelvin sign (K) become s and k. */
function fold(name: string): string {
  return name.replace(/[-_]/g, '').toUpperCase().toLowerCase()
}

function refusal(path: string): DragomanError {
  return new DragomanError(
    'permission',
    `This key is restricted to some models, and "${path}" can make the upstream use another.`,
    { param: path, code: 'model_not_allowed' },
  )
}
