import { createServer, request } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

/** One request to a proxy. */
export interface Asked {
  readonly method: string
  readonly target: string
  readonly authorization: string | undefined
}

export interface Proxy extends AsyncDisposable {
  readonly port: number
  readonly asked: readonly Asked[]
}

export interface ProxyOptions {
  /** Every name resolves to this port of this machine. */
  readonly to: number
  /** Its status for a tunnel; 0 for no answer. */
  readonly status?: number
  /** Answers forwarded requests itself, after an unrequested 100. */
  readonly interim?: boolean
}

/** A proxy on a real socket: tunnels for CONNECT, forwards everything else. */
export async function startProxy({ to, status = 200, interim = false }: ProxyOptions): Promise<Proxy> {
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming
    asked.push({ method, target: url, authorization: headers['proxy-authorization'] })
    if (interim) {
      answer.writeContinue()
      answer.end('done')
      return
    }
    const onward = request({ host: '127.0.0.1', port: to, method, path: new URL(url).pathname, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    incoming.pipe(onward)
  })
  server.on('connection', (socket) => sockets.add(socket))
  server.on('connect', (incoming, socket: Socket, head: Buffer) => {
    const target = incoming.url ?? ''
    asked.push({ method: 'CONNECT', target, authorization: incoming.headers['proxy-authorization'] })
    if (status === 0) return
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      return
    }
    const upstream = connect(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    sockets.add(upstream)
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    port,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
