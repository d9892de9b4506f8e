/** One chunk as it stands on the wire. */
export function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
