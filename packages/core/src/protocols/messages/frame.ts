/** The text of one event on the wire. */
export function frame(type: string, members: object): string {
  return `${frameHead(type)}${JSON.stringify({ type, ...members })}\n\n`
}

export function frameHead(type: string): string {
  return `event: ${type}\ndata: `
}
