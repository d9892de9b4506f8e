/** The text of one event on the wire. */
export function frame(type: string, sequence: number, members: object): string {
  return `${frameHead(type)}${JSON.stringify({ type, sequence_number: sequence, ...members })}\n\n`
}

/** The text of an event with a response that is JSON already. */
export function responseFrame(type: string, sequence: number, response: string): string {
  return `${frameHead(type)}{"type":"${type}","sequence_number":${sequence},"response":${response}}\n\n`
}

export function frameHead(type: string): string {
  return `event: ${type}\ndata: `
}
