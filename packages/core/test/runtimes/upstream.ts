import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers instead of the vendor, and allows calls from any page. */
export async function startUpstream(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listens on a port
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close().closeAllConnections() }
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  request.on('end', () => {
    for (const name of ['origin', 'headers']) response.setHeader(`access-control-allow-${name}`, '*')
    response.setHeader('content-type', 'text/event-stream')
    response.end(request.method === 'POST' ? STREAM : '')
  })
}

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-6', content: [] }
const STREAM = [
  { type: 'message_start', message: { ...MESSAGE, stop_reason: null, usage: { input_tokens: 12, output_tokens: 0 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Air scatters ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'blue light.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 4 } },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('')
