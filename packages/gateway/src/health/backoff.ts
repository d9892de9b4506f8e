export interface BackoffOptions {
  readonly baseMs: number
  readonly factor: number
  readonly mostMs: number
}

const DEFAULTS: BackoffOptions = { baseMs: 250, factor: 2, mostMs: 8000 }

/**
 * The time to wait after a number of failed attempts, from one. It is anywhere between nothing and an exponential limit ("full jitter"), so
 * that calls that failed together are not sent again together.
 *
 * @param random returns a number from 0 to 1, such as `Math.random`
 */
export function backoffMs(attempt: number, random: () => number, options: Partial<BackoffOptions> = {}): number {
  const { baseMs, factor, mostMs } = { ...DEFAULTS, ...options }
  return Math.round(random() * Math.min(mostMs, baseMs * factor ** (attempt - 1)))
}
