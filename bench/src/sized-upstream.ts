import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/** An upstream whose answers have the size that a benchmark has set last. */
export interface SizedUpstream {
  readonly port: number
  readonly server: Server
  answerSize: number
}

/** Starts an upstream that discards every request, and answers with JSON by the path of the request and the size. */
export async function startSizedUpstream(answerOf: (path: string, size: number) => string): Promise<SizedUpstream> {
  const server = createServer((request, response) => {
    const text = answerOf(request.url ?? '/', upstream.answerSize)
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const upstream: SizedUpstream = { port, server, answerSize: 0 }
  return upstream
}
