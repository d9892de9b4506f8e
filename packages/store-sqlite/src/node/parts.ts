/** The number of rows that are copied to another thread in less than a millisecond. */
const AT_ONCE = 100

type Rows = readonly unknown[]

/** A long result on its way between threads: the first rows, and those that are asked for after them. */
export interface Parts {
  /** The result with its first rows only. */
  readonly first: unknown
  readonly others: Rows[]
}

/** Results are lists of rows, or have such a list. */
export function partsOf(result: unknown): Parts {
  const rows = rowsIn(result)
  if (rows === undefined || rows.length <= AT_ONCE) return { first: result, others: [] }
  const others: Rows[] = []
  for (let from = AT_ONCE; from < rows.length; from += AT_ONCE) others.push(rows.slice(from, from + AT_ONCE))
  return { first: withRows(result, rows.slice(0, AT_ONCE)), others }
}

/** The whole result again. */
export function joinParts(first: unknown, others: readonly Rows[]): unknown {
  return others.length === 0 ? first : withRows(first, [...(rowsIn(first) ?? []), ...others.flat()])
}

function rowsIn(result: unknown): Rows | undefined {
  if (Array.isArray(result)) return result as Rows // of anything
  if (typeof result !== 'object' || result === null || !('rows' in result)) return undefined
  return Array.isArray(result.rows) ? (result.rows as Rows) : undefined // of anything
}

function withRows(result: unknown, rows: Rows): unknown {
  return Array.isArray(result) || typeof result !== 'object' ? rows : { ...result, rows }
}
