/** The text of one chunk on the wire. */
export function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
