import { createServer } from 'node:http'
import { Pool } from 'undici'

/** For comparison: node:http in, undici's dispatch out, and nothing else. */
export function serveDispatchRelay(port: number, upstream: number): void {
  const pool = new Pool(`http://127.0.0.1:${upstream}`, { connections: null, pipelining: 1 })

  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
      const headers = { 'content-type': 'application/json' }
      pool.dispatch(
        { path: incoming.url ?? '/', method: 'POST', headers, body },
        {
          onRequestStart(controller) {
            outgoing.on('close', () => controller.abort(new Error('closed')))
          },
          onResponseStart: (_controller, status, answerHeaders) => void outgoing.writeHead(status, answerHeaders),
          onResponseData: (_controller, chunk) => void outgoing.write(chunk),
          onResponseEnd: () => void outgoing.end(),
          onResponseError: () => void outgoing.destroy(),
        },
      )
    })
  })

  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1')
}
