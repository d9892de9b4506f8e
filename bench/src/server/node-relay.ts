import { Agent, createServer, request as send } from 'node:http'

/** The yardstick: node:http in, node:http out. It forwards every byte and reads nothing. */
export function serveNodeRelay(port: number, upstream: number): void {
  const agent = new Agent({ keepAlive: true })

  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const call = send({ host: '127.0.0.1', port: upstream, method, path: url, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    call.on('error', () => outgoing.destroy())
    outgoing.on('close', () => call.destroy())
    incoming.pipe(call)
  })

  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1')
}
