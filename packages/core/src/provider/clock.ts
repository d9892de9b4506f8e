/** Time, so that tests can move it by hand. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Runs once later; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}
