import type { UsageRecord } from '@dragoman/gateway'
import { CEILING, NO_TOKENS, type CallRecord, type OpenCall, type TokenCounts } from '../store/call-record.ts'
import type { ModelName } from './model-names.ts'
import { storableText } from '../store/unstorable.ts'

/** The record of a call that reached an upstream. What was known when it began stays, except its route. */
export function recordOf(open: OpenCall, usage: UsageRecord, nameOf: ModelName): CallRecord {
  const { cost } = usage
  return {
    id: open.id,
    at: open.at,
    key: open.key,
    owner: open.owner,
    conversation: open.conversation,
    operation: open.operation,
    asked: open.asked,
    model: nameOf(usage.model),
    provider: usage.provider,
    protocol: open.protocol,
    mode: usage.mode,
    stream: open.stream,
    outcome: usage.outcome,
    status: whole(usage.status),
    attempts: whole(usage.attempts),
    tokens: tokensOf(usage.usage),
    cost: whole(cost?.total),
    items: cost === undefined ? NO_ITEMS : itemsOf(cost.items),
    prices: storableText(versionOf(cost)),
    estimated: usage.usage?.estimated === true || cost?.estimated === true || cost?.ceiling === true,
    losses: usage.losses,
    firstByteMs: usage.firstByteMs === undefined ? undefined : whole(usage.firstByteMs),
    ms: whole(usage.ms),
  }
}

/** The version of the prices. One of a ceiling says so: the model has no price for some of it. */
function versionOf(cost: UsageRecord['cost']): string {
  if (cost?.ceiling !== true) return cost?.version ?? ''
  return `${CEILING}${cost.version ?? ''}`
}

/** What a call has used of a limit of tokens. */
export function usedTokens(usage: UsageRecord | undefined): number {
  return whole(usage?.usage?.input) + whole(usage?.usage?.output)
}

const NO_ITEMS: CallRecord['items'] = []

function tokensOf(usage: UsageRecord['usage']): TokenCounts {
  if (usage === undefined) return NO_TOKENS
  return {
    input: whole(usage.input),
    output: whole(usage.output),
    cacheRead: whole(usage.cacheRead),
    cacheWrite5m: whole(usage.cacheWrite5m),
    cacheWrite1h: whole(usage.cacheWrite1h),
    reasoning: whole(usage.reasoning),
  }
}

function itemsOf(items: CallRecord['items']): CallRecord['items'] {
  if (items.every(({ quantity, nanos }) => Number.isFinite(quantity) && whole(nanos) === nanos)) return items
  return items.map(({ name, quantity, nanos }) => {
    return { name, quantity: Number.isFinite(quantity) ? quantity : 0, nanos: whole(nanos) }
  })
}

/** Far above what a call can have. Stores add up in 64 bits: thousands of such calls do not overflow. */
const MOST = 2e15

/** Upstreams can report any number. A store takes only whole numbers, and refuses a whole group because of one that is not. */
function whole(count = 0): number {
  const rounded = Math.min(MOST, Math.max(0, Math.round(count)))
  return Number.isNaN(rounded) ? 0 : rounded
}
