type Row = { readonly [name: string]: unknown }

/** Rows as CSV (RFC 4180), with the names of the first row's members as header. */
export function csvOf(rows: readonly Row[]): string {
  return `${Object.keys(rows[0] ?? {}).join(',')}\r\n${csvLinesOf(rows)}`
}

/** The same without the header, for rows that follow. */
export function csvLinesOf(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  return rows.map((row) => `${names.map((name) => cellOf(row[name])).join(',')}\r\n`).join('')
}

/** Spreadsheets run texts that begin like a formula, and callers choose the names of models and owners. */
function cellOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
