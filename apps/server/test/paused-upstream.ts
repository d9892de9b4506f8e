import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const WORD = { ...CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content: 'word' }, finish_reason: null }] }
const LAST = { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

/** An upstream that streams one word, and the rest when it is released. */
export interface PausedUpstream {
  readonly url: string
  /** The last stream. */
  finish(): void
  close(): void
}

export async function startPausedUpstream(): Promise<PausedUpstream> {
  let last: ServerResponse | undefined
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      last = response
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame(WORD))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/v1`,
    finish: () => last?.end(`${frame(LAST)}data: [DONE]\n\n`),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function frame(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
