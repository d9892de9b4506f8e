/** A text table: the first row is its head, and numbers are aligned to the right. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))))
  const isNumeric = head.map(
    (_, column) => rest.length > 0 && rest.every((row) => /^-?[\d.,$%]*$/.test(row[column] ?? '')),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)))
        return isNumeric[column] === true ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd()
  return rows.map((row) => `${line(row)}\n`).join('')
}

/** Code points, which is what most terminals give one column to. */
function widthOf(text: string): number {
  return Array.from(text).length
}
