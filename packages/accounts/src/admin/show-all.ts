/** The number of rows that take less than a millisecond. */
const AT_ONCE = 100

/** Shows the rows of a page. Calls go on in between: a long page would keep them waiting for some milliseconds. */
export async function showAll<Row, Shown>(rows: readonly Row[], show: (row: Row) => Shown): Promise<readonly Shown[]> {
  const shown: Shown[] = []
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve, 0))
    for (const row of rows.slice(from, from + AT_ONCE)) shown.push(show(row))
  }
  return shown
}
