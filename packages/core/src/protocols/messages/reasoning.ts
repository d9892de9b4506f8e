import { keep, known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Part, Reasoning } from '../../ir/part.ts'
import { budgetOfEffort, leavingAnswer, MOST_BUDGET, reportReasoning } from '../../ir/reasoning.ts'
import { carry, isSealed, unwrap, wrap, type Seal } from '../../ir/seal.ts'
import type { ReasoningOptions } from '../../ir/request.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { stringOf } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
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
  type WireMessage,
} from './schema.ts'

export function decodeReasoning(block: BlockOf<'thinking' | 'redacted_thinking'>, context: DecodeContext): Reasoning {
  const part: Draft<Reasoning> = { type: 'reasoning', text: '' }
  const hidden = block.type === 'redacted_thinking'
  if (hidden) part.hidden = true
  else part.text = stringOf(block.thinking)
  const { seal, target } = unwrap(stringOf(hidden ? block.data : block.signature), context.issuer)
  if (seal !== undefined && target === 'self') part.seal = seal
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

/** The seal of the next call, in the signature of thinking that has none of its own. */
export function sealOfNextCall(block: Block, issuer: string): Seal | undefined {
  if (block.type !== 'thinking') return undefined
  const { seal, target } = unwrap(stringOf(block.signature), issuer)
  return target === 'next' ? seal : undefined
}

/** Puts the seal of a call into the unsigned thinking before it. False if there is none since the call before. */
export function carryInThinking(seal: Seal, blocks: Block[]): boolean {
  const index = blocks.findLastIndex(({ type }) => ENDS_SEARCH.has(type))
  const block = blocks[index]
  if (block?.type !== 'thinking' || block.signature !== UNSIGNED) return false
  blocks[index] = { ...block, signature: wrap(seal, 'next') }
  return true
}

const ENDS_SEARCH: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'tool_use', 'server_tool_use'])
const UNSIGNED = wrap(undefined, 'self')

/** A block that carries the seal of its neighbor through a client. */
export function carrierOf(seal: Seal, target: 'next' | 'previous'): BlockOf<'redacted_thinking'> {
  return { type: 'redacted_thinking', data: wrap(seal, target) }
}

/** A block without anything for the client: the state of another vendor. */
export function isState(block: Block | undefined): block is BlockOf<'redacted_thinking'> {
  return block?.type === 'redacted_thinking' && isSealed(block.data)
}

/** Clients print the last block of an answer: hidden reasoning of another vendor behind the last text comes before that text. */
export function stateBeforeText(blocks: Block[]): Block[] {
  const end = blocks.findLastIndex((block) => !isState(block))
  if (end === blocks.length - 1 || blocks[end]?.type !== 'text') return blocks
  const behind = blocks.slice(end + 1).filter(isState)
  const carriers = behind.map((block) => ({ ...block, data: wrap(unwrap(block.data, '').seal, 'behind') }))
  return [...blocks.slice(0, end), ...carriers, blocks[end]]
}

/** The seal that needs a carrier beside this part's block, if any. */
export function carriedSeal(part: Part, { toward }: Encoding): Seal | undefined {
  const carries = part.type === 'text' || part.type === 'tool-call' || part.type === 'media'
  return carries && toward === 'client' ? part.seal : undefined
}

type Thinking = NonNullable<MessagesRequest['thinking']>

const LEAST_BUDGET = 1024
/** The tokens of an answer without a limit. */
export const ANSWER = 8192

export function decodeThinking(
  thinking: Thinking | undefined,
  effort: string | undefined,
): ReasoningOptions | undefined {
  if (thinking === undefined) return undefined
  if (thinking.type === 'disabled') return { on: false }
  if (thinking.type === 'between_tools') return defined({ on: 'between-tools' as const, effort })
  const show = SHOW_OF.get(thinking.display ?? '')
  if (thinking.type === 'adaptive') return defined({ on: 'dynamic' as const, effort, show })
  return thinking.type === 'enabled' ? defined({ on: true, budget: thinking.budget_tokens, effort, show }) : undefined
}

/** The members that decodeThinking reads. */
export function knownThinking(thinking: Thinking): Known {
  if (thinking.type === 'disabled' || thinking.type === 'between_tools') return PLAIN
  if (!reasons(thinking)) return NOTHING
  const shown = thinking.display == null || SHOW_OF.has(thinking.display)
  return thinking.type === 'enabled' ? (shown ? BUDGET_SHOWN : BUDGET) : shown ? SHOWN : PLAIN
}

const NOTHING: Known = new Map()
const PLAIN = known(disabledThinking)
const SHOWN = known(adaptiveThinking)
const BUDGET = known(enabledThinking, { unread: ['display'] })
const BUDGET_SHOWN = known(enabledThinking)

const SHOW_OF: ReadonlyMap<string, boolean> = new Map([
  ['summarized', true],
  ['omitted', false],
])

/** Whether thinking is enabled, as far as is known. */
export function reasons(thinking: Thinking | undefined): boolean {
  return thinking !== undefined && THINKS.has(thinking.type)
}

const THINKS: ReadonlySet<string> = new Set<Thinking['type']>(['enabled', 'between_tools', 'adaptive'])

/** `thinking`, and the effort for `output_config`. */
export interface EncodedThinking {
  readonly thinking?: Thinking
  readonly effort?: string
}

/** The tokens of thinking that a request wants; undefined if there is none, or if the model decides. */
export function wantedBudget(requested: ReasoningOptions | undefined, context: Encoding): number | undefined {
  if (requested === undefined || isOff(requested) || isAdaptive(requested, context)) return undefined
  const { effort, budget } = requested
  const { min = 0, max } = context.limits?.reasoning ?? {}
  const wanted = budget ?? (effort === 'max' ? (max ?? MOST_BUDGET) : budgetOfEffort(effort))
  return Math.floor(Math.min(Math.max(wanted, min, LEAST_BUDGET), max ?? Number.MAX_SAFE_INTEGER))
}

function isOff({ on, effort, budget }: ReasoningOptions): boolean {
  return on === false || effort === 'none' || budget === 0
}

function isAdaptive({ on }: ReasoningOptions, { dialect }: Encoding): boolean {
  return typeof on === 'string' || dialect?.['thinking'] === 'adaptive'
}

/** max_tokens: as it is sent, and as the caller set it. */
export interface TokenLimit {
  readonly sent: number
  readonly given: number | undefined
}

/** A caller whose protocol has budgets, and who set both, gets both. A limit that was added has room for a whole answer. */
function mostThinking({ on, budget }: ReasoningOptions, { sent, given }: TokenLimit): number {
  if (given === undefined) return Math.max(leavingAnswer(sent), sent - ANSWER)
  return on === true && budget !== undefined && budget < sent ? sent - 1 : leavingAnswer(sent)
}

/** An effort becomes a budget below max_tokens. `barred` is the reason why thinking is not possible. */
export function encodeThinking(
  requested: ReasoningOptions | undefined,
  limit: TokenLimit,
  barred: string | undefined,
  losses: Losses,
  context: Encoding,
): EncodedThinking {
  if (requested === undefined) return {}
  const { on, show } = requested
  const wanted = wantedBudget(requested, context)
  const most = mostThinking(requested, limit)
  const noRoom = wanted !== undefined && most < LEAST_BUDGET ? NO_ROOM : undefined
  const why = isOff(requested) ? 'reasoning is off' : (barred ?? noRoom)
  if (why !== undefined) {
    reportReasoning(requested, { on: false }, why, losses)
    return { thinking: { type: 'disabled' } }
  }
  const display = show === undefined ? {} : { display: show ? 'summarized' : 'omitted' }
  // The lowest effort of messages is low; without a budget, the effort is the budget.
  const level = requested.effort === 'minimal' ? 'low' : requested.effort
  const effort = wanted === undefined || requested.budget !== undefined ? defined({ effort: level }) : {}
  if (wanted === undefined) {
    const plain = on === 'between-tools'
    const settled = defined({ on: plain ? on : ('dynamic' as const), ...effort, show: plain ? undefined : show })
    reportReasoning(requested, settled, 'the model decides how much to think', losses)
    return { thinking: plain ? { type: 'between_tools' } : { type: 'adaptive', ...display }, ...effort }
  }
  const budget = Math.min(wanted, most)
  const settled = defined({ on: true, budget, ...effort, show })
  reportReasoning(requested, settled, 'messages has a token budget for thinking', losses)
  return { thinking: { type: 'enabled', budget_tokens: budget, ...display }, ...effort }
}

const NO_ROOM = `no room for ${LEAST_BUDGET} tokens of thinking below max_tokens`

/** Why this call cannot use thinking, although it may be requested. */
export function barThinking(
  requested: ReasoningOptions | undefined,
  choice: MessagesRequest['tool_choice'],
  messages: readonly WireMessage[],
): string | undefined {
  if (choice?.type === 'any' || choice?.type === 'tool') return 'messages cannot think when a tool must be called'
  if (typeof requested?.on === 'string' || !isLoopUnsigned(messages)) return undefined
  return 'the calls that are answered here came back without the thinking before them'
}

/** A tool loop continues with the signed thinking before its calls; clients that send back only text and ids have lost it. */
function isLoopUnsigned(messages: readonly WireMessage[]): boolean {
  const index = messages.findLastIndex((message) => message.role === 'assistant')
  const asked = messages[index]
  if (!holds(asked, 'tool_use') || !messages.slice(index + 1).some((turn) => holds(turn, 'tool_result'))) return false
  return Array.isArray(asked?.content) && asked.content.every(({ type }) => NO_THINKING.has(type))
}

/** Blocks that are not thinking; a block of an unknown kind may be thinking. */
const NO_THINKING: ReadonlySet<string> = new Set<Block['type']>([
  'text',
  'tool_use',
  'server_tool_use',
  'web_search_tool_result',
])

function holds(message: WireMessage | undefined, type: string): boolean {
  return Array.isArray(message?.content) && message.content.some((block) => block.type === type)
}
