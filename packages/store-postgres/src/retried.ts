const ATTEMPTS = 3
/** Deadlocks and conflicts between transactions: all of them had no effect. */
const PASSING = new Set(['40P01', '40001'])

/** Runs a transaction again if it has failed only because of another one. */
export async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (attempt === ATTEMPTS || !PASSING.has(code)) throw error
    }
  }
}
