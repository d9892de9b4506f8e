import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A chat upstream with a long response, which it sends as fast as it is read. */
export interface Firehose {
  readonly url: string
  /** Characters of text that were read in the last call. */
  sent(): number
  close(): Promise<void>
}

const TOKEN = 'lion '.repeat(3200)

export const FIREHOSE_TEXT = 64 * 1024 * 1024

export async function createFirehose(): Promise<Firehose> {
  let sent = 0
  const talk = (response: ServerResponse): void => {
    sent = 0
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(frame({ delta: { role: 'assistant', content: '' } }))
    const token = frame({ delta: { content: TOKEN } })
    const pump = (): void => {
      let isFree = true
      while (isFree && sent < FIREHOSE_TEXT && !response.destroyed) {
        isFree = response.write(token)
        sent += TOKEN.length
      }
      if (sent >= FIREHOSE_TEXT) response.end(`${frame({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
    }
    response.on('drain', pump)
    pump()
  }
  const server = createServer((request, response) => {
    request.resume().on('end', () => talk(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    sent: () => sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function frame(choice: object): string {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'firehose' }
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`
}
