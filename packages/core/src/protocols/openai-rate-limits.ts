import type { RateLimit, RateLimits } from './protocol.ts'

/** The headers of OpenAI, as its reference lists them. */
export function rateLimitHeaders({ requests, tokens }: RateLimits): { readonly [name: string]: string } {
  return { ...headersOf('requests', requests), ...headersOf('tokens', tokens) }
}

function headersOf(what: 'requests' | 'tokens', rate: RateLimit | undefined): { readonly [name: string]: string } {
  if (rate === undefined) return {}
  return {
    [`x-ratelimit-limit-${what}`]: String(rate.limit),
    [`x-ratelimit-remaining-${what}`]: String(rate.remaining),
    [`x-ratelimit-reset-${what}`]: durationOf(rate.resetMs),
  }
}

/** `120ms`, `1.5s`, `6m0s`: how Go writes a duration. */
function durationOf(ms: number): string {
  if (ms < 1000) return `${ms}ms`
  const minutes = Math.floor(ms / 60_000)
  const seconds = `${(ms % 60_000) / 1000}s`
  return minutes === 0 ? seconds : `${minutes}m${seconds}`
}
