import { applyQuirks, renamedMember } from '../ir/apply-quirks.ts'
import { describeLoss } from '../ir/loss.ts'
import type { Quirk, Condition } from '../ir/quirk.ts'
import { isObject, stringOf, type JsonObject } from '../lib/json.ts'
import type { Match } from '../protocols/context.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { BUDGET_OF } from '../ir/reasoning.ts'
import { didYouMean } from '../lib/near.ts'
import { REQUEST_SHAPE } from '../ir/request.ts'
import type { Shape } from '../ir/extras.ts'
import type { Wrong } from '../lib/check-value.ts'

/** Why a body cannot be relayed to an upstream with these quirks; undefined if none of them changes it. */
export function quirkObstacle(
  protocol: Protocol,
  quirks: readonly Quirk[],
  body: JsonObject,
  match?: Pick<Match, 'model' | 'stream' | 'framing'>,
): string | undefined {
  const renamed = renamedMember(quirks, body)
  if (renamed !== undefined) return `${renamed} has another name there`
  const request = protocol.request.decode(body, { issuer: protocol.issuer, path: match })
  // The gateway always requests usage, whatever the caller sent.
  const asked = request.delivery.stream ? { ...request, delivery: { ...request.delivery, usage: true } } : request
  const [loss] = applyQuirks(quirks, asked).losses
  return loss === undefined ? undefined : describeLoss(loss)
}

/** For upstreams without a reasoning budget. */
export const BUDGET_AS_EFFORT: Quirk = {
  verb: 'replace',
  at: 'reasoning.budget',
  steps: [[0, 'none'], ...[...BUDGET_OF].map(([effort, budget]) => [budget, effort] as const)],
  as: 'reasoning.effort',
  because: 'takes an effort, not a budget',
}

/** For upstreams whose only reasoning option is an effort; `words` replace efforts that they do not have. */
export function effortQuirks(words: { readonly [effort: string]: string } = {}): readonly Quirk[] {
  return [
    BUDGET_AS_EFFORT,
    {
      verb: 'drop',
      at: 'reasoning.on',
      unless: { 'reasoning.on': false },
      because: 'reasons when an effort is set',
    },
    { verb: 'replace', at: 'reasoning.effort', values: words, because: 'has no such effort' },
  ]
}

/** For chat upstreams that turn reasoning on and off with `thinking: { type }`. */
export const THINKING_TYPE: readonly Quirk[] = [
  {
    verb: 'default',
    at: 'reasoning.on',
    to: true,
    when: 'reasoning.effort',
    unless: { 'reasoning.effort': 'none' },
    because: 'needs reasoning switched on beside the amount',
  },
  { verb: 'rename', at: 'reasoning_effort', values: { none: { thinking: { type: 'disabled' } } } },
  { verb: 'rename', at: 'reasoning.enabled', values: { true: { thinking: { type: 'enabled' } } } },
]

/** For chat upstreams with the older name of the token limit. */
export const MAX_TOKENS: Quirk = { verb: 'rename', at: 'max_completion_tokens', to: 'max_tokens' }

type Verb = Quirk['verb']
type MembersOf<Name extends Verb> = {
  readonly [Member in keyof Extract<Quirk, { verb: Name }>]-?: 'needed' | 'optional'
}

const CONDITIONAL = { when: 'optional', unless: 'optional', because: 'optional' } as const
const PATH_AND_CONDITION = { verb: 'needed', at: 'needed', ...CONDITIONAL } as const

/** The members of a quirk, by its verb. */
const MEMBERS_OF: { readonly [Name in Verb]: MembersOf<Name> } = {
  drop: PATH_AND_CONDITION,
  clamp: { ...PATH_AND_CONDITION, min: 'optional', max: 'optional' },
  default: { ...PATH_AND_CONDITION, to: 'needed' },
  require: PATH_AND_CONDITION,
  exclude: PATH_AND_CONDITION,
  replace: { ...PATH_AND_CONDITION, values: 'optional', steps: 'optional', as: 'optional' },
  instruct: { ...PATH_AND_CONDITION, text: 'needed' },
  declare: PATH_AND_CONDITION,
  rename: { verb: 'needed', at: 'needed', to: 'optional', values: 'optional' },
}

/** Verbs that do nothing without one of these members. */
const ONE_OF: { readonly [Name in Verb]?: readonly string[] } = {
  clamp: ['min', 'max'],
  replace: ['values', 'steps'],
  rename: ['to', 'values'],
}

/** Throws if a list of quirks has a verb, a member or a path that does not exist. */
export function checkQuirks(quirks: unknown, path: string, wrong: Wrong): void {
  if (!Array.isArray(quirks)) throw wrong(path, 'must be a list of quirks')
  for (const [index, quirk] of (quirks as readonly unknown[]).entries()) checkQuirk(quirk, `${path}.${index}`, wrong)
}

function checkQuirk(quirk: unknown, path: string, wrong: Wrong): void {
  if (!isObject(quirk)) throw wrong(path, 'must be an object')
  const verb = stringOf(quirk['verb'])
  if (!isVerb(verb)) throw wrong(`${path}.verb`, `must be one of ${VERBS.join(', ')}${didYouMean(verb, VERBS)}`)
  const members: { readonly [member: string]: 'needed' | 'optional' } = MEMBERS_OF[verb]
  for (const member of Object.keys(quirk))
    if (!Object.hasOwn(members, member))
      throw wrong(`${path}.${member}`, `is not a member of "${verb}"${didYouMean(member, Object.keys(members))}`)
  for (const [member, need] of Object.entries(members))
    if (need === 'needed' && quirk[member] === undefined) throw wrong(`${path}.${member}`, `is required by "${verb}"`)
  const oneOf = ONE_OF[verb]
  if (oneOf !== undefined && oneOf.every((member) => quirk[member] === undefined))
    throw wrong(path, `needs ${oneOf.map((member) => `"${member}"`).join(' or ')}`)
  checkPaths(quirk, verb, path, wrong)
}

function checkPaths(quirk: { readonly [member: string]: unknown }, verb: Verb, path: string, wrong: Wrong): void {
  const checked = quirk as { at: string | readonly string[]; as?: string; when?: Condition; unless?: Condition } // its members exist
  // The path of a rename is a wire path, where an upstream may have any member.
  if (verb === 'rename') return
  const check = (member: string, paths: readonly unknown[]): void => {
    for (const each of paths) {
      const why = typeof each === 'string' ? wrongPath(each) : 'must be a path, such as "settings.topK"'
      if (why !== undefined) throw wrong(`${path}.${member}`, typeof each === 'string' ? `"${each}" ${why}` : why)
    }
  }
  if (verb === 'declare' && checked.at !== 'tools')
    throw wrong(`${path}.at`, 'must be "tools": nothing else is declared')
  check('at', [checked.at].flat())
  if (checked.as !== undefined) check('as', [checked.as])
  check('when', pathsOf(checked.when))
  check('unless', pathsOf(checked.unless))
}

function pathsOf(condition: Condition | undefined): readonly unknown[] {
  if (condition === undefined) return []
  return [condition].flat().flatMap((each) => (isObject(each) ? Object.keys(each) : [each]))
}

const VERBS = Object.keys(MEMBERS_OF) as readonly Verb[] // its own members

function isVerb(name: string): name is Verb {
  return Object.hasOwn(MEMBERS_OF, name)
}

/** Why a path does not exist in a request; undefined if it does. `*` is every element of a list. */
function wrongPath(path: string): string | undefined {
  let shape: Shape = REQUEST_SHAPE
  for (const step of path.split('.')) {
    if (shape === 'json' && step !== '') return undefined
    const members: { readonly [member: string]: Shape } = isList(shape)
      ? { '*': shape[0] }
      : typeof shape === 'object'
        ? shape
        : {}
    const next = Object.hasOwn(members, step) ? members[step] : undefined
    if (next === undefined) return `names no member of a request${didYouMean(step, Object.keys(members))}`
    shape = next
  }
  return undefined
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}
