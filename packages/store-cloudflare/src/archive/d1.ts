/** What this package uses of D1. The platform's own type fits. */
export interface D1 {
  prepare(statement: string): D1Statement
  /** Runs all of them, or none. */
  batch(statements: D1Statement[]): Promise<unknown>
}

export interface D1Statement {
  bind(...values: (string | number)[]): D1Statement
  all(): Promise<{ results: { readonly [column: string]: unknown }[] }>
  run(): Promise<unknown>
}
