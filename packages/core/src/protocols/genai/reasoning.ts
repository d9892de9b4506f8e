import { leftover, restore } from '../../ir/extras.ts'
import type { Part, Reasoning } from '../../ir/part.ts'
import { unwrapBytes, wrapBytes, type Seal } from '../../ir/seal.ts'
import type { ReasoningWish } from '../../ir/settings.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { NAME, type WirePart, type WireThinking } from './schema.ts'

/** The seal of a part, or what stands in its place: a placeholder is none, and a leftover. */
export function decodeSeal(
  signature: unknown,
  context: DecodeContext,
): { readonly seal?: Seal; readonly rest?: unknown } {
  if (signature === undefined || signature === '') return {}
  const seal = typeof signature === 'string' ? unwrapBytes(signature, context.issuer).seal : undefined
  return seal === undefined ? { rest: signature } : { seal }
}

/** Bare for its own domain; any other is carried by clients alone. The losses stand at the part. */
export function encodeSeal(part: Part, context: EncodeContext): { thoughtSignature?: string } {
  const { seal } = part
  if (seal === undefined) return {}
  if (seal.issuer === context.issuer) return { thoughtSignature: seal.value }
  if (context.toward === 'client') return { thoughtSignature: wrapBytes(seal, 'self') }
  context.losses.dropped(['seal'], 'signed by another issuer')
  return {}
}

/** A thought without text is one that nobody may read. */
export function decodeThought(text: string, seal: Seal | undefined, rest: object): Reasoning {
  const sealed = seal === undefined ? {} : { seal }
  return {
    type: 'reasoning',
    text,
    ...(text === '' && seal !== undefined ? { hidden: true as const } : {}),
    ...sealed,
    ...leftover(NAME, rest),
  }
}

/** `joins`: a reader sees it as more of the thought before it. The losses stand at the part. */
export function encodeThought(part: Reasoning, joins: boolean, context: EncodeContext): WirePart | undefined {
  const { losses } = context
  const text = part.hidden ? '' : part.text
  if (context.toward === 'upstream' && part.seal !== undefined && part.seal.issuer !== context.issuer) {
    losses.dropped([], 'signed by another issuer')
    return undefined
  }
  if (text === '' && part.seal === undefined) {
    losses.dropped([], 'a thought without text or seal says nothing')
    return undefined
  }
  if (part.summary) losses.dropped(['summary'], 'genai does not tell summaries apart')
  if (text !== part.text) losses.changed(['text'], '', 'hidden reasoning has no text')
  if (joins && part.hidden) losses.dropped(['hidden'], 'it is the seal of the thought before it')
  if (!joins && text === '' && !part.hidden)
    losses.added(['hidden'], true, 'a thought without text is one that nobody may read')
  return restore(NAME, part, { text, thought: true, ...encodeSeal(part, context) })
}

const BUDGET_OF: { readonly [effort: string]: number } = {
  minimal: 1024,
  low: 2048,
  medium: 5120,
  high: 10_240,
  xhigh: 20_480,
}
const LEVELS: ReadonlySet<string> = new Set(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'])

/** With what it did not take. */
export function decodeThinking(wire: WireThinking | undefined): { wish?: ReasoningWish; rest?: object } {
  if (wire === undefined) return {}
  const { thinkingBudget: budget, thinkingLevel, includeThoughts, ...others } = wire
  const level = thinkingLevel?.toUpperCase() ?? ''
  const levelled = LEVELS.has(level) && budget === undefined
  const wish: ReasoningWish = {
    ...(budget === undefined
      ? {}
      : budget === 0
        ? { on: false }
        : budget < 0
          ? { on: 'dynamic' }
          : { on: true, budget }),
    ...(levelled ? { effort: level.toLowerCase() } : {}),
    ...(includeThoughts === undefined ? {} : { show: includeThoughts }),
  }
  const rest = levelled || thinkingLevel === undefined ? others : { ...others, thinkingLevel }
  return { ...(Object.keys(wish).length === 0 ? {} : { wish }), rest }
}

/**
 * A budget stays a budget and an effort a level, unless the card says that its model takes only one of them: `thinking` is
 * 'budget' or 'level' in its dialect. Never both.
 */
export function encodeThinking(wish: ReasoningWish | undefined, context: EncodeContext): WireThinking | undefined {
  if (wish === undefined) return undefined
  const show = wish.show === undefined ? {} : { show: wish.show }
  const shown = wish.show === undefined ? {} : { includeThoughts: wish.show }
  const amount = context.dialect?.['thinking'] === 'level' ? levelOf(wish) : amountOf(wish, context)
  if (amount === undefined) return settled(wish, show, shown, context)
  if ('effort' in amount)
    return settled(
      wish,
      { effort: amount.effort, ...show },
      { thinkingLevel: amount.effort.toUpperCase(), ...shown },
      context,
    )
  const { budget } = amount
  const meant: ReasoningWish = budget === 0 ? { on: false } : budget < 0 ? { on: 'dynamic' } : { on: true, budget }
  return settled(wish, { ...meant, ...show }, { thinkingBudget: budget, ...shown }, context)
}

type Amount = { readonly effort: string } | { readonly budget: number }

function amountOf(wish: ReasoningWish, context: EncodeContext): Amount | undefined {
  const { on, effort, budget } = wish
  if (on === false || effort === 'none') return { budget: 0 }
  if (budget !== undefined) return { budget: within(budget, context) }
  if (effort !== undefined && context.dialect?.['thinking'] !== 'budget') return { effort: levelName(effort) }
  if (effort !== undefined)
    return {
      budget: within(
        effort === 'max' ? (context.limits?.reasoning?.max ?? 32_768) : (BUDGET_OF[effort] ?? 5120),
        context,
      ),
    }
  return on === undefined ? undefined : { budget: -1 }
}

function within(budget: number, { limits }: EncodeContext): number {
  const { min = 1, max = Number.MAX_SAFE_INTEGER } = limits?.reasoning ?? {}
  return Math.floor(Math.min(Math.max(budget, min), max))
}

/** For models that cannot be told a budget, nor to stop thinking. */
function levelOf({ on, effort, budget }: ReasoningWish): Amount | undefined {
  if (on === false || effort === 'none') return { effort: 'minimal' }
  if (effort !== undefined) return { effort: levelName(effort) }
  if (budget !== undefined)
    return {
      effort: Object.entries(BUDGET_OF).find(([name, most]) => name !== 'xhigh' && budget <= most)?.[0] ?? 'high',
    }
  return on === undefined ? undefined : { effort: 'medium' }
}

function levelName(effort: string): string {
  if (LEVELS.has(effort.toUpperCase())) return effort.toLowerCase()
  return effort === 'xhigh' || effort === 'max' ? 'high' : 'medium'
}

/** One entry for the whole wish when any of it is said differently. */
function settled(wish: ReasoningWish, meant: ReasoningWish, wire: WireThinking, context: EncodeContext): WireThinking {
  const keys = new Set([...Object.keys(wish), ...Object.keys(meant)]) as Set<keyof ReasoningWish> // both are wishes
  const same = [...keys].every((key) => wish[key] === meant[key])
  if (!same) context.losses.changed(['reasoning'], meant, 'genai has a thinking budget or a level')
  return wire
}
