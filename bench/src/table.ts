import { availableParallelism, loadavg } from 'node:os'

/** Rows of text under a heading, numbers to the right. */
export function formatTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? ''
        return /^([\d.]+|–)$/.test(rows[0]?.[column] ?? '') ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [`\n${title}`, line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

export function fixed(value: number | undefined, digits: number): string {
  return value === undefined || !Number.isFinite(value) ? '–' : value.toFixed(digits)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

/** Where and when: figures of a machine that others use at the same time are worth less. */
export function describeMachine(): string {
  const busy = (loadavg()[0] ?? 0).toFixed(1)
  const cores = availableParallelism()
  return `Node ${process.version}, ${process.platform} ${process.arch}, ${cores} cores, load ${busy} before the start`
}
