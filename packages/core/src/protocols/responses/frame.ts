/** The text of one event on the wire. */
export function frame(type: string, sequence: number, members: object): string {
  return `${frameHead(type)}${JSON.stringify({ type, sequence_number: sequence, ...members })}\n\n`
}

export function frameHead(type: string): string {
  return `event: ${type}\ndata: `
}
