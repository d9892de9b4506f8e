import type { Magic } from './magic.ts'

const SLOW_MS = 100

/** Milliseconds per token: `[[slow]]` is ten tokens a second at most. */
export function paceOf({ slow }: Magic, delayMs: number): number {
  return slow ? Math.max(SLOW_MS, delayMs) : delayMs
}
