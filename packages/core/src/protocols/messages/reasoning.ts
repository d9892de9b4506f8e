import { budgetOfEffort } from '../../ir/effort.ts'
import { leftover, restore } from '../../ir/extras.ts'
import type { Part, Reasoning } from '../../ir/part.ts'
import type { ReasoningWish } from '../../ir/settings.ts'
import { carry, unwrap, wrap, type Seal } from '../../ir/seal.ts'
import { stringOf } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { NAME, type Block, type BlockOf, type MessagesRequest } from './schema.ts'

export function decodeReasoning(block: BlockOf<'thinking' | 'redacted_thinking'>, context: DecodeContext): Reasoning {
  if (block.type === 'thinking') {
    const { type, thinking, signature, ...rest } = block
    const { seal } = unwrap(stringOf(signature), context.issuer)
    return {
      type: 'reasoning',
      text: stringOf(thinking),
      ...(seal === undefined ? {} : { seal }),
      ...leftover(NAME, rest),
    }
  }
  const { type, data, ...rest } = block
  const { seal } = unwrap(stringOf(data), context.issuer)
  return { type: 'reasoning', text: '', hidden: true, ...(seal === undefined ? {} : { seal }), ...leftover(NAME, rest) }
}

/**
 * An upstream accepts only the reasoning that it signed itself; a client carries everybody's. The losses stand at the part.
 */
export function encodeReasoning(part: Reasoning, context: EncodeContext): Block | undefined {
  const { losses } = context
  const native = part.seal?.issuer === context.issuer
  if (context.toward === 'upstream' && !native) {
    losses.dropped([], part.seal === undefined ? 'unsigned reasoning is refused' : 'signed by another issuer')
    return undefined
  }
  if (part.hidden && part.seal === undefined) {
    losses.dropped([], 'hidden reasoning without its seal says nothing')
    return undefined
  }
  if (part.summary) losses.dropped(['summary'], 'messages does not tell summaries apart')
  if (part.cache !== undefined) losses.dropped(['cache'], 'messages reasoning has no cache mark')
  if (!part.hidden)
    return restore(NAME, part, { type: 'thinking', thinking: part.text, signature: carry(part.seal, context.issuer) })
  if (part.text !== '') losses.changed(['text'], '', 'redacted thinking has no text')
  return restore(NAME, part, { type: 'redacted_thinking', data: carry(part.seal, context.issuer) })
}

/** A block that carries the seal of its neighbour through a client. */
export function carrierOf(seal: Seal, target: 'next' | 'previous'): Block {
  return { type: 'redacted_thinking', data: wrap(seal, target) }
}

/** The seal that needs a carrier beside this part's block, if any. The losses stand at the part. */
export function carriedSeal(part: Part, context: EncodeContext): Seal | undefined {
  if (part.type === 'reasoning') return undefined
  const carries = part.type === 'text' || part.type === 'tool-call' || part.type === 'media'
  if (carries && context.toward === 'client') return part.seal
  context.losses.dropped(['seal'], 'messages signs only reasoning')
  return undefined
}

type Thinking = NonNullable<MessagesRequest['thinking']>

const LEAST_BUDGET = 1024

export function decodeThinking(thinking: Thinking | undefined, effort: string | undefined): ReasoningWish | undefined {
  if (thinking === undefined) return undefined
  if (thinking.type === 'disabled') return { on: false }
  const amount = thinking.type === 'enabled' ? { on: true, budget: thinking.budget_tokens } : { on: 'dynamic' as const }
  const show = SHOW_OF[thinking.display ?? '']
  return { ...amount, ...(effort === undefined ? {} : { effort }), ...(show === undefined ? {} : { show }) }
}

/** What decodeThinking did not take. */
export function thinkingRest(thinking: Thinking | undefined): object {
  if (thinking === undefined) return {}
  const { type, ...rest } = thinking
  if (type === 'disabled') return rest
  const { budget_tokens, display, ...other } = rest as Extract<Thinking, { type: 'enabled' }> // adaptive has a leftover budget
  const odd = type === 'adaptive' && budget_tokens !== undefined ? { budget_tokens } : {}
  return { ...other, ...odd, ...(display == null || SHOW_OF[display] !== undefined ? {} : { display }) }
}

const SHOW_OF: { readonly [display: string]: boolean | undefined } = { summarized: true, omitted: false }

export interface EncodedThinking {
  readonly thinking?: Thinking
  readonly effort?: string
}

/** Effort becomes a budget; a budget fits between 1024 and max_tokens. `barred` says why thinking cannot be. */
export function encodeThinking(
  wish: ReasoningWish | undefined,
  maxTokens: number,
  barred: string | undefined,
  context: EncodeContext,
): EncodedThinking {
  if (wish === undefined) return {}
  if (wish.on === false || wish.effort === 'none') return off(wish, 'reasoning is off', context)
  if (barred !== undefined) return off(wish, barred, context)
  const display = wish.show === undefined ? {} : { display: wish.show ? 'summarized' : 'omitted' }
  if (wish.on === 'dynamic' || context.dialect?.['thinking'] === 'adaptive') {
    const { budget, effort: asked, ...kept } = wish
    const effort = effortOf(asked)
    const level = effort === undefined ? {} : { effort }
    settle(wish, { ...kept, ...level, on: 'dynamic' }, 'the model decides how much to think', context)
    return { thinking: { type: 'adaptive', ...display }, ...level }
  }
  const most = Math.min(maxTokens - 1, context.limits?.reasoning?.max ?? Number.MAX_SAFE_INTEGER)
  if (most < LEAST_BUDGET) return off(wish, `no room for ${LEAST_BUDGET} tokens of thinking below max_tokens`, context)
  const asked = wish.budget ?? budgetOf(wish.effort, context)
  const budget = Math.floor(Math.min(Math.max(asked, context.limits?.reasoning?.min ?? 0, LEAST_BUDGET), most))
  const effort = wish.budget === undefined ? undefined : effortOf(wish.effort)
  const settled = {
    on: true,
    budget,
    ...(effort === undefined ? {} : { effort }),
    ...(wish.show === undefined ? {} : { show: wish.show }),
  }
  settle(wish, settled, 'messages has a token budget for thinking', context)
  return {
    thinking: { type: 'enabled', budget_tokens: budget, ...display },
    ...(effort === undefined ? {} : { effort }),
  }
}

/** The least that messages has a word for is low. */
function effortOf(effort: string | undefined): string | undefined {
  return effort === 'minimal' ? 'low' : effort
}

function budgetOf(effort: string | undefined, context: EncodeContext): number {
  if (effort === 'max') return context.limits?.reasoning?.max ?? Number.MAX_SAFE_INTEGER
  return budgetOfEffort(effort)
}

function off(wish: ReasoningWish, reason: string, context: EncodeContext): EncodedThinking {
  settle(wish, { on: false }, reason, context)
  return { thinking: { type: 'disabled' } }
}

/** One entry for the whole wish when any of it is said differently. */
function settle(wish: ReasoningWish, settled: ReasoningWish, reason: string, context: EncodeContext): void {
  const keys = new Set([...Object.keys(wish), ...Object.keys(settled)]) as Set<keyof ReasoningWish> // both are wishes
  for (const key of keys) {
    if (wish[key] !== settled[key]) {
      context.losses.changed(['reasoning'], settled, reason)
      return
    }
  }
}
