import type { Failed } from './failed.ts'

/** What an operation tells about a route that it was given. */
export interface Trial {
  /** The attempt failed before the first byte. Returns true if another one follows. */
  failed(failed: Failed): boolean
  /** The route must not be used. Returns true if another one follows. */
  passOver(): boolean
  /** Whether another attempt may follow, so that the request must be kept. */
  mayFollow(): boolean
}
