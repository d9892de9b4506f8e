import type { FinishReason } from '../../ir/finish.ts'
import { isObject, stringOf, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'

/** How the answers of one upstream differ from the protocol, as its card tells. */
export interface AnswerDialect {
  readonly usage: UsageDialect
  /** Its own words for why it stopped. */
  readonly finish: { readonly [word: string]: FinishReason }
  /** Thoughts stand between tags at the start of the text. */
  readonly tags: boolean
  /** Sources stand beside the choices, and chunks repeat the whole message. */
  readonly sources: boolean
  readonly known: KnownMembers
}

export interface UsageDialect {
  /** Reasoning is counted beside the completion and not in it, or at the top of the usage object. */
  readonly reasoning?: 'beside' | 'top'
  /** The member of the usage object that counts cached tokens. */
  readonly cached?: string
  /** Counts stand in the choice. */
  readonly inChoice: boolean
}

/** The members of a chunk, and of what is in it, that are read here. */
export interface KnownMembers {
  readonly chunk: ReadonlySet<string>
  readonly choice: ReadonlySet<string>
  readonly delta: ReadonlySet<string>
  readonly logprobs: ReadonlySet<string>
}

const CHUNK = ['id', 'object', 'created', 'model', 'choices', 'usage']
const CHOICE = ['index', 'delta', 'finish_reason', 'logprobs']
const KNOWN: KnownMembers = {
  chunk: new Set(CHUNK),
  choice: new Set(CHOICE),
  delta: new Set(
    'role content refusal reasoning reasoning_content reasoning_details annotations tool_calls'.split(' '),
  ),
  logprobs: new Set(['content', 'refusal']),
}

const NO_DIALECT: AnswerDialect = {
  usage: { inChoice: false },
  finish: {},
  tags: false,
  sources: false,
  known: KNOWN,
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
    known: {
      ...KNOWN,
      chunk: new Set([...CHUNK, ...(sources ? ['citations', 'search_results'] : [])]),
      choice: new Set([...CHOICE, ...(sources ? ['message'] : []), ...(usage.inChoice ? ['usage'] : [])]),
    },
  }
}

function readUsage(value: unknown): UsageDialect {
  const { reasoning, cached, place } = isObject(value) ? value : ({} as JsonObject) // no members
  return {
    ...(reasoning === 'beside' || reasoning === 'top' ? { reasoning } : {}),
    ...(stringOf(cached) === '' ? {} : { cached: stringOf(cached) }),
    inChoice: place === 'choice',
  }
}

const REASONS: { readonly [Reason in FinishReason]: Reason } = {
  stop: 'stop',
  'stop-sequence': 'stop-sequence',
  length: 'length',
  'tool-calls': 'tool-calls',
  'content-filter': 'content-filter',
  refusal: 'refusal',
  pause: 'pause',
  error: 'error',
  other: 'other',
}

function readFinish(value: unknown): AnswerDialect['finish'] {
  const words: [string, FinishReason][] = []
  for (const [word, reason] of Object.entries(isObject(value) ? value : {})) {
    if (isReason(reason)) words.push([word, reason])
  }
  return Object.fromEntries(words)
}

function isReason(value: unknown): value is FinishReason {
  return typeof value === 'string' && Object.hasOwn(REASONS, value)
}

/** How an upstream is told its earlier thoughts: under one member as plain text, not at all, or (undefined) with their details. */
export type History = 'reasoning' | 'reasoning_content' | 'none' | undefined

export function historyDialect({ toward, dialect }: EncodeContext): History {
  const history = toward === 'upstream' ? dialect?.['history'] : undefined
  return history === 'reasoning' || history === 'reasoning_content' || history === 'none' ? history : undefined
}
