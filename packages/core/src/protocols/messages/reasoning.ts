import { keep, known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Part, Reasoning } from '../../ir/part.ts'
import { budgetOfEffort, reportReasoning } from '../../ir/reasoning-options.ts'
import { carry, unwrap, wrap, type Seal } from '../../ir/seal.ts'
import type { ReasoningOptions } from '../../ir/settings.ts'
import type { Draft } from '../../lib/draft.ts'
import { defined } from '../../lib/defined.ts'
import { stringOf } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../protocol.ts'
import { TABLES } from './members.ts'
import {
  adaptiveThinking,
  disabledThinking,
  enabledThinking,
  NAME,
  redactedBlock,
  thinkingBlock,
  type Block,
  type BlockOf,
  type MessagesRequest,
} from './schema.ts'

export function decodeReasoning(block: BlockOf<'thinking' | 'redacted_thinking'>, context: DecodeContext): Reasoning {
  const part: Draft<Reasoning> = { type: 'reasoning', text: '' }
  const hidden = block.type === 'redacted_thinking'
  if (hidden) part.hidden = true
  else part.text = stringOf(block.thinking)
  const { seal } = unwrap(stringOf(hidden ? block.data : block.signature), context.issuer)
  if (seal !== undefined) part.seal = seal
  return keep(part, NAME, unknownOf(block, hidden ? REDACTED : THINKING))
}

const THINKING = known(thinkingBlock)
const REDACTED = known(redactedBlock)

/** An upstream accepts only reasoning that it has signed itself; a client receives all of it. */
export function encodeReasoning(part: Reasoning, losses: Losses, context: Encoding): Block | undefined {
  if (context.toward === 'upstream' && part.seal?.issuer !== context.issuer) {
    losses.dropped([], part.seal === undefined ? 'unsigned reasoning is refused' : 'signed by another issuer')
    return undefined
  }
  if (part.hidden && part.seal === undefined) {
    losses.dropped([], 'hidden reasoning without its seal is empty')
    return undefined
  }
  reportUnsupported(part, TABLES.part.reasoning, losses, context)
  const carried = carry(part.seal, context.issuer)
  if (!part.hidden) return restore(NAME, part, { type: 'thinking', thinking: part.text, signature: carried })
  if (part.text !== '') losses.changed(['text'], '', 'redacted thinking has no text')
  return restore(NAME, part, { type: 'redacted_thinking', data: carried })
}

/** A block that carries the seal of its neighbor through a client. */
export function carrierOf(seal: Seal, target: 'next' | 'previous'): Block {
  return { type: 'redacted_thinking', data: wrap(seal, target) }
}

/** The seal that needs a carrier beside this part's block, if any. */
export function carriedSeal(part: Part, { toward }: Encoding): Seal | undefined {
  const carries = part.type === 'text' || part.type === 'tool-call' || part.type === 'media'
  return carries && toward === 'client' ? part.seal : undefined
}

type Thinking = NonNullable<MessagesRequest['thinking']>

const LEAST_BUDGET = 1024

export function decodeThinking(
  thinking: Thinking | undefined,
  effort: string | undefined,
): ReasoningOptions | undefined {
  if (thinking === undefined) return undefined
  if (thinking.type === 'disabled') return { on: false }
  const show = SHOW_OF[thinking.display ?? '']
  if (thinking.type === 'adaptive') return defined({ on: 'dynamic' as const, effort, show })
  return defined({ on: true, budget: thinking.budget_tokens, effort, show })
}

/** The members that decodeThinking reads. */
export function knownThinking(thinking: Thinking): Known {
  if (thinking.type === 'disabled') return DISABLED
  const shown = thinking.display == null || SHOW_OF[thinking.display] !== undefined
  return thinking.type === 'enabled' ? (shown ? BUDGET_SHOWN : BUDGET) : shown ? SHOWN : DISABLED
}

const DISABLED = known(disabledThinking)
const SHOWN = known(adaptiveThinking)
const BUDGET = known(enabledThinking, { unread: ['display'] })
const BUDGET_SHOWN = known(enabledThinking)

const SHOW_OF: { readonly [display: string]: boolean | undefined } = { summarized: true, omitted: false }

/** Whether thinking is enabled. */
export function reasons(thinking: Thinking | undefined): boolean {
  return thinking !== undefined && thinking.type !== 'disabled'
}

/** `thinking`, and the effort for `output_config`. */
export interface EncodedThinking {
  readonly thinking?: Thinking
  readonly effort?: string
}

/** An effort becomes a budget; a budget is between 1024 and max_tokens. `barred` is the reason why thinking is not possible. */
export function encodeThinking(
  requested: ReasoningOptions | undefined,
  maxTokens: number,
  barred: string | undefined,
  losses: Losses,
  context: Encoding,
): EncodedThinking {
  if (requested === undefined) return {}
  const { on, show, budget: asked } = requested
  const adaptive = on === 'dynamic' || context.dialect?.['thinking'] === 'adaptive'
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = context.limits?.reasoning ?? {}
  const most = Math.min(maxTokens - 1, max)
  const noRoom = !adaptive && most < LEAST_BUDGET
  const why =
    on === false || requested.effort === 'none' ? 'reasoning is off' : (barred ?? (noRoom ? NO_ROOM : undefined))
  if (why !== undefined) {
    reportReasoning(requested, { on: false }, why, losses)
    return { thinking: { type: 'disabled' } }
  }
  const display = show === undefined ? {} : { display: show ? 'summarized' : 'omitted' }
  // The lowest effort of messages is low; without a budget, the effort is the budget.
  const level = requested.effort === 'minimal' ? 'low' : requested.effort
  const effort = adaptive || asked !== undefined ? defined({ effort: level }) : {}
  if (adaptive) {
    const settled = defined({ on: 'dynamic' as const, ...effort, show })
    reportReasoning(requested, settled, 'the model decides how much to think', losses)
    return { thinking: { type: 'adaptive', ...display }, ...effort }
  }
  const wanted = asked ?? (requested.effort === 'max' ? max : budgetOfEffort(requested.effort))
  const budget = Math.floor(Math.min(Math.max(wanted, min, LEAST_BUDGET), most))
  const settled = defined({ on: true, budget, ...effort, show })
  reportReasoning(requested, settled, 'messages has a token budget for thinking', losses)
  return { thinking: { type: 'enabled', budget_tokens: budget, ...display }, ...effort }
}

const NO_ROOM = `no room for ${LEAST_BUDGET} tokens of thinking below max_tokens`
