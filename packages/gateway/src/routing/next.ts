import type { Failed } from '../health/failed.ts'
import type { CallPolicy } from './preferences.ts'

/** What follows if a route does not answer. An operation gets one for each route that it is given. */
export interface Next {
  readonly policy: CallPolicy
  /** The attempt failed before the first byte. Returns true if another one follows. */
  failed(failed: Failed): boolean
  /** The route must not be used, for this reason. Another one follows, or the call ends. */
  passOver(reason: string): void
  /** The request cannot be written for this route. Another one follows, or the call ends with this error. */
  unusable(thrown: unknown): void
  /** The upstream has begun a good answer. Absent if nothing depends on it. */
  readonly succeeded?: (() => void) | undefined
  /** Whether another attempt may follow, so that the request must be kept. */
  mayFollow(): boolean
}
