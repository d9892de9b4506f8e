import { known, type Known } from '../../ir/extras.ts'
import type { FinishReason } from '../../ir/response.ts'
import { defined } from '../../lib/members.ts'
import { isObject, stringOf } from '../../lib/json.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { chatChunk, chunkChoice, delta } from './answer-schema.ts'

/** How the responses of one upstream differ from the protocol, from its card. */
export interface AnswerDialect {
  readonly usage: UsageDialect
  /** Its own finish reasons. */
  readonly finish: { readonly [word: string]: FinishReason }
  /** Reasoning is between tags at the start of the text. */
  readonly tags: boolean
  /** Sources are beside the choices, and chunks repeat the whole message. */
  readonly sources: boolean
  readonly known: KnownMembers
}

export interface UsageDialect {
  /** Reasoning is not included in the completion tokens, or is at the top of the usage object. */
  readonly reasoning?: 'beside' | 'top'
  /** The member of the usage object with cached tokens. */
  readonly cached?: string
  /** Counts are in the choice. */
  readonly inChoice: boolean
}

/** The members of a chunk and of its choice that are read here. */
export interface KnownMembers {
  readonly chunk: Known
  readonly choice: Known
}

/** The members of audio are read together with their pieces. */
const inside = { delta: known(delta, { apart: ['audio'] }) }
const PLAIN: KnownMembers = {
  chunk: known(chatChunk, { apart: ['usage'], unread: ['citations', 'search_results'] }),
  choice: known(chunkChoice, { inside, unread: ['message', 'usage'] }),
}
const COUNTED = known(chunkChoice, { inside, apart: ['usage'], unread: ['message'] })
const SOURCED: KnownMembers = {
  chunk: known(chatChunk, { apart: ['usage'] }),
  choice: known(chunkChoice, { inside, apart: ['message'], unread: ['usage'] }),
}
const SOURCED_AND_COUNTED = known(chunkChoice, { inside, apart: ['message', 'usage'] })

const NO_DIALECT: AnswerDialect = {
  usage: { inChoice: false },
  finish: {},
  tags: false,
  sources: false,
  known: PLAIN,
}

export function answerDialect({ dialect }: DecodeContext): AnswerDialect {
  if (dialect === undefined) return NO_DIALECT
  const usage = readUsage(dialect['usage'])
  const sources = dialect['citations'] === 'citations'
  return {
    usage,
    finish: readFinish(dialect['finish']),
    tags: dialect['think'] === 'tags',
    sources,
    known: knownMembers(sources, usage.inChoice),
  }
}

function knownMembers(sources: boolean, counted: boolean): KnownMembers {
  const { chunk, choice } = sources ? SOURCED : PLAIN
  if (!counted) return { chunk, choice }
  return { chunk, choice: sources ? SOURCED_AND_COUNTED : COUNTED }
}

function readUsage(value: unknown): UsageDialect {
  const { reasoning, cached, at } = isObject(value) ? value : {}
  return defined({
    reasoning: reasoning === 'beside' || reasoning === 'top' ? reasoning : undefined,
    cached: stringOf(cached) || undefined,
    inChoice: at === 'choice',
  })
}

const REASONS: ReadonlySet<string> = new Set(
  'stop stop-sequence length tool-calls content-filter refusal pause error other'.split(' '),
)

function readFinish(value: unknown): AnswerDialect['finish'] {
  const words = Object.entries(isObject(value) ? value : {}).filter(([, reason]) => REASONS.has(stringOf(reason)))
  return Object.fromEntries(words) as AnswerDialect['finish'] // of reasons, as was just seen
}

/** How earlier reasoning is sent to an upstream: in one member as plain text, not at all, or (undefined) with its details. */
export type History = 'reasoning' | 'reasoning_content' | 'none' | undefined

export function historyDialect({ toward, dialect }: Encoding): History {
  const history = toward === 'upstream' ? dialect?.['history'] : undefined
  return history === 'reasoning' || history === 'reasoning_content' || history === 'none' ? history : undefined
}
