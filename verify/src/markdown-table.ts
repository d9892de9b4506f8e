/** A table of a document. Columns of numbers are aligned to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rules = head.map((_, column) => (/^[\d.]+$/.test(rows[0]?.[column] ?? '') ? '--:' : '---'))
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return [`| ${head.join(' | ')} |`, `|${rules.join('|')}|`, ...lines].join('\n')
}
