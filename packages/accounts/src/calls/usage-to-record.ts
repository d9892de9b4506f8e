import type { UsageRecord } from '@dragoman/gateway'
import { NO_TOKENS, type CallRecord, type OpenCall, type TokenCounts } from '../store/call-record.ts'

/** The record of a call that reached an upstream. What was known when it began stays, except its route. */
export function recordOf(open: OpenCall, usage: UsageRecord): CallRecord {
  const { cost } = usage
  return {
    id: open.id,
    at: open.at,
    key: open.key,
    owner: open.owner,
    conversation: open.conversation,
    operation: open.operation,
    asked: open.asked,
    model: usage.model,
    provider: usage.provider,
    protocol: open.protocol,
    mode: usage.mode,
    stream: open.stream,
    outcome: usage.outcome,
    status: usage.status,
    attempts: usage.attempts,
    tokens: tokensOf(usage.usage),
    cost: cost?.total ?? 0,
    items: cost?.items ?? NO_ITEMS,
    prices: cost?.version ?? '',
    estimated: usage.usage?.estimated === true,
    losses: usage.losses,
    firstByteMs: usage.firstByteMs,
    ms: usage.ms,
  }
}

/** What a call has used of a limit of tokens. */
export function usedTokens(usage: UsageRecord | undefined): number {
  return (usage?.usage?.input ?? 0) + (usage?.usage?.output ?? 0)
}

const NO_ITEMS: CallRecord['items'] = []

function tokensOf(usage: UsageRecord['usage']): TokenCounts {
  if (usage === undefined) return NO_TOKENS
  const { input = 0, output = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, reasoning = 0 } = usage
  return { input, output, cacheRead, cacheWrite5m, cacheWrite1h, reasoning }
}
