import { applyQuirks, renamedMember } from '../ir/apply-quirks.ts'
import { describeLoss } from '../ir/loss.ts'
import type { Quirk } from '../ir/quirk.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Match } from '../protocols/context.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { BUDGET_OF } from '../ir/reasoning.ts'

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
