import type { CostItem } from '@dragoman/core/provider'
import type { Outcome } from '@dragoman/gateway'

/** What is known of a call before it is sent to an upstream. */
export interface OpenCall {
  /** 32 hexadecimal digits. Ids of later calls are greater. */
  readonly id: string
  /** Unix milliseconds. */
  readonly at: number
  readonly key: string
  /** The owner of the key at that time; empty if it has none. */
  readonly owner: string
  /** 16 hexadecimal digits that calls of one conversation have in common; empty if unknown. */
  readonly conversation: string
  readonly operation: string
  /** The model as the caller wrote it. */
  readonly asked: string
  /** The routed id: `<provider>/<name>`. */
  readonly model: string
  readonly provider: string
  readonly protocol: string
  readonly mode: 'relay' | 'translate'
  readonly stream: boolean
  /** The expected cost in nano-dollars. */
  readonly estimate: number
}

/** The record of one call that reached an upstream. */
export interface CallRecord extends Omit<OpenCall, 'estimate'> {
  /** `cut`: the instance ended before the call did, and the estimate was charged. */
  readonly outcome: Outcome | 'cut'
  /** The status of the answer; 0 if the call was cut off. */
  readonly status: number
  readonly attempts: number
  readonly tokens: TokenCounts
  /** Nano-dollars. */
  readonly cost: number
  /** What the cost consists of. */
  readonly items: readonly CostItem[]
  /** The version of the prices; empty if the model has none. It begins with `ceiling ` if some of them are the most that it may cost. */
  readonly prices: string
  /** Some of the counts or the cost are estimates. */
  readonly estimated: boolean
  /** The codes of what was lost in translation, without repetitions. */
  readonly losses: readonly string[]
  readonly firstByteMs: number | undefined
  readonly ms: number
}

/** Begins the version of prices of which some are a ceiling. */
export const CEILING = 'ceiling '

/** Every count includes its details, as in `Usage`: input includes cached tokens, output includes reasoning. */
export interface TokenCounts {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly reasoning: number
}

export const NO_TOKENS: TokenCounts = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  reasoning: 0,
}

/** The record of a call whose instance ended before it did. */
export function cutRecord({ estimate, ...call }: OpenCall): CallRecord {
  return {
    ...call,
    outcome: 'cut',
    status: 0,
    attempts: 1,
    tokens: NO_TOKENS,
    cost: estimate,
    items: [],
    prices: '',
    estimated: true,
    losses: [],
    firstByteMs: undefined,
    ms: 0,
  }
}
