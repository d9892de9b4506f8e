import type { Emit } from '../../ir/stream.ts'

/** Writes and numbers the events of one stream. */
export interface Events {
  send(type: string, members: object): void
  /** Sends an event with a response that is JSON already. */
  sendResponse(type: string, response: string): void
  /** Writes deltas of this type. `place` and `tail` have all other members. */
  line(type: string, address: object, tail?: object): (text: string) => void
}

export function createEvents(write: Emit<string>): Events {
  let sequence = 0
  return {
    send(type, members) {
      const rest = JSON.stringify(members).slice(1, -1)
      write(`${headOf(type)}${sequence++},${rest}}\n\n`)
    },
    sendResponse: (type, response) => write(`${headOf(type)}${sequence++},"response":${response}}\n\n`),
    line(type, address, tail = {}) {
      const head = headOf(type)
      const middle = `,${JSON.stringify(address).slice(1, -1)},"delta":`
      const rest = JSON.stringify(tail).slice(1, -1)
      const end = `${rest === '' ? '' : `,${rest}`}}\n\n`
      return (text) => write(head + sequence++ + middle + JSON.stringify(text) + end)
    },
  }
}

function headOf(type: string): string {
  return `event: ${type}\ndata: {"type":"${type}","sequence_number":`
}
