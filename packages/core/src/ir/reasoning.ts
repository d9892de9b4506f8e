import type { Losses } from './loss.ts'
import type { ReasoningOptions } from './request.ts'
import type { Part, Reasoning } from './part.ts'
import type { Seal } from './seal.ts'

/** The tokens of reasoning for each effort, the least first. */
export const BUDGET_OF: ReadonlyMap<string, number> = new Map([
  ['minimal', 1024],
  ['low', 2048],
  ['medium', 5120],
  ['high', 10_240],
  ['xhigh', 20_480],
])

/** The budget of the highest effort, for a model whose card has no highest budget. */
export const MOST_BUDGET = 32_768

/** The budget of an effort; an unknown effort counts as medium. */
export function budgetOfEffort(effort: string | undefined): number {
  return BUDGET_OF.get(effort ?? '') ?? 5120
}

/** The nearest effort to a budget. */
export function effortOf(budget: number): string {
  return [...BUDGET_OF].find(([, most]) => budget <= most)?.[0] ?? 'xhigh'
}

/** The tokens of a limit that reasoning may use: a quarter is left for the answer. */
export function leavingAnswer(limit: number): number {
  return Math.floor((limit * 3) / 4)
}

/** Whether a protocol that knows only on and off has it off. */
export function isReasoningOff({ on, effort }: ReasoningOptions): boolean {
  return on === false || on === 'between-tools' || effort === 'none'
}

/** Reports reasoning options that the other side understands differently: one member, or all of them as one. */
export function reportReasoning(
  requested: ReasoningOptions | undefined,
  understood: ReasoningOptions | undefined,
  reason: string,
  losses: Losses,
): void {
  if (requested === undefined) return
  const [first, second] = MEMBERS.filter((member) => requested[member] !== understood?.[member])
  if (first === undefined) return
  const apart = second === undefined && requested[first] !== undefined && understood !== undefined
  const to = apart ? understood[first] : understood
  if (to === undefined) losses.dropped(apart ? ['reasoning', first] : ['reasoning'], reason)
  else losses.changed(apart ? ['reasoning', first] : ['reasoning'], to, reason)
}

const ALL: { readonly [Member in keyof Required<ReasoningOptions>]: true } = {
  on: true,
  effort: true,
  budget: true,
  show: true,
}
const MEMBERS = Object.keys(ALL) as (keyof ReasoningOptions)[] // typed above: a new member does not compile

/** The seals of the items that parts of reasoning belong to: the last part of an item has it. From the end, so that it takes linear time. */
export function groupSeals(
  parts: readonly Part[],
  joins: (part: Reasoning, next: Reasoning) => boolean = isOfOneKind,
): readonly (Seal | undefined)[] {
  const seals: (Seal | undefined)[] = []
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]
    if (part?.type !== 'reasoning') continue
    const next = parts[index + 1]
    const isJoined =
      next?.type === 'reasoning' && part.item !== undefined && part.item === next.item && joins(part, next)
    seals[index] = part.seal ?? (isJoined ? seals[index + 1] : undefined)
  }
  return seals
}

/** A summary can be shown without the thoughts that it is of. */
function isOfOneKind(part: Reasoning, next: Reasoning): boolean {
  return part.summary === next.summary
}
