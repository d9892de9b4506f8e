/** What SQLite stores. */
export type Value = string | number | Uint8Array | null

/** One row: the values by the names of their columns. */
export type Row = { readonly [column: string]: Value }

/**
 * SQLite as this package needs it: Node's module has it, and the storage of a Durable Object. Statements use no PRAGMA, no function of
 * their own, and no integer above what a number is exact for: larger sums are computed by SQLite and read as text.
 */
export interface Sql {
  /** Runs a statement; returns whether it has changed a row. */
  run(statement: string, ...values: readonly Value[]): boolean
  all(statement: string, ...values: readonly Value[]): readonly Row[]
  /** Runs the function with all of its effects, or with none if it throws. */
  transaction<T>(run: () => T): T
}

export function numberIn(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw new TypeError(`The column ${column} has no number`)
  return value
}

export function textIn(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new TypeError(`The column ${column} has no text`)
  return value
}
