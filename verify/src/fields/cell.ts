/** The cell for a field or an event: where its value is in the output, and the lines of the loss report that another report does not have. */
export function cellOf(paths: readonly string[], report: readonly string[], before: readonly string[]): string {
  const shownPaths = paths.map((path) => `\`${path}\``)
  const shownLosses = report
    .filter((line) => !before.includes(line))
    // Without their paths: they are IR paths, and the row already names the field.
    .map((line) => line.replace(/^(\w+) \S*: ?/, '*$1*: '))
    .map((line) => line.replaceAll('|', '\\|'))
  const parts = [shownPaths.join(', '), [...new Set(shownLosses)].join('; ')].filter((part) => part !== '')
  return parts.length === 0 ? '–' : parts.join('; ')
}
