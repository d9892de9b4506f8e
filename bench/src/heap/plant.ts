import type { Operation } from './exchange.ts'

/** An object of five members, V8's note of where it was allocated, and the reference to it. Optimized code has no such note: 72. */
const BYTES = 88

/** Allocates about as many bytes with each operation too: a benchmark has to find them. */
export function plant(operation: Operation, bytes: number): Operation {
  const length = Math.round(bytes / BYTES)
  if (length === 0) return operation
  const planted: { kept: unknown } = { kept: undefined }
  return () => {
    // Kept until the next operation, otherwise the compiler would remove them.
    planted.kept = Array.from({ length }, () => ({ one: 1, two: 2, three: 3, four: 4, five: 5 }))
    return operation()
  }
}
