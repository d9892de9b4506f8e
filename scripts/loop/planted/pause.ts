/** Blocks the thread for a moment without work for the CPU, so that an endless loop in a test costs nothing. */
export function pause(): boolean {
  return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50) === 'timed-out'
}
