import type { Mention } from './titles.ts'

/** One row of the specification. A row without sides needs one test. */
export type Row = {
  readonly id: string
  readonly section: string
  /** Not in the document; real clients need it. */
  readonly beyond: boolean
  readonly text: string
  readonly sides: readonly string[]
}

export type Coverage = {
  readonly proven: number
  readonly total: number
  /** Rows without a test, with the sides that lack one. The list is empty for a row without sides. */
  readonly open: readonly { readonly row: Row; readonly sides: readonly string[] }[]
  /** Mentions of rows or sides that do not exist. */
  readonly unknown: readonly Mention[]
  /** Mentions of a two-sided row without a side; they cover neither. */
  readonly sideless: readonly Mention[]
}

/** Which rows the mentions cover. Both sides count if a row has two. */
export function coverageOf(rows: readonly Row[], mentions: readonly Mention[]): Coverage {
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const named = new Set(mentions.map(({ id, side }) => nameOf(id, side)))
  const claims = rows.flatMap((row) => namesOf(row))
  const open = rows
    .map((row) => ({ row, missing: namesOf(row).filter((name) => !named.has(name)) }))
    .filter(({ missing }) => missing.length > 0)
    .map(({ row }) => ({ row, sides: row.sides.filter((side) => !named.has(nameOf(row.id, side))) }))
  return {
    proven: claims.filter((name) => named.has(name)).length,
    total: claims.length,
    open,
    unknown: mentions.filter(({ id, side }) => !exists(rowOf.get(id), side)),
    sideless: mentions.filter(({ id, side }) => side === undefined && (rowOf.get(id)?.sides.length ?? 0) > 0),
  }
}

function exists(row: Row | undefined, side: string | undefined): boolean {
  return row !== undefined && (side === undefined || row.sides.includes(side))
}

function namesOf(row: Row): string[] {
  return row.sides.length === 0 ? [row.id] : row.sides.map((side) => nameOf(row.id, side))
}

function nameOf(id: string, side: string | undefined): string {
  return side === undefined ? id : `${id}:${side}`
}
