import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request of a client, and how the gateway answered it. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: string
  /** 0 if the client went away first. */
  status: number
  losses: string
  answer: string
  readonly startedMs: number
}

/** A proxy in front of the gateway that keeps everything a client sends. */
export interface Recorder {
  readonly url: string
  readonly exchanges: readonly Exchange[]
  /** Resolves when an answer contains a text. */
  answered(text: string): Promise<void>
  clear(): void
  close(): Promise<void>
}

export async function createRecorder(target: string): Promise<Recorder> {
  const exchanges: Exchange[] = []
  const watchers = new Set<() => void>()
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const exchange: Exchange = {
        method: request.method ?? '',
        path: request.url ?? '/',
        headers: request.headers,
        body: body.toString('utf8'),
        status: 0,
        losses: '',
        answer: '',
        startedMs: performance.now(),
      }
      exchanges.push(exchange)
      forward(target, request, body, response, exchange, () => watchers.forEach((watcher) => watcher()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    answered: (text) =>
      new Promise((resolve) => {
        const watcher = (): void => {
          if (!exchanges.some(({ answer }) => answer.includes(text))) return
          watchers.delete(watcher)
          resolve()
        }
        watchers.add(watcher)
      }),
    clear() {
      exchanges.length = 0
      watchers.clear()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A disconnect on either side is passed on to the other. */
function forward(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  exchange: Exchange,
  onAnswer: () => void,
): void {
  const { host: _host, 'transfer-encoding': _encoding, ...rest } = headers
  const length = body.length === 0 ? {} : { 'content-length': body.length }
  const upstream = send(`${target}${url}`, { method, headers: { ...rest, ...length } }, (answer) => {
    exchange.status = answer.statusCode ?? 0
    exchange.losses = String(answer.headers['x-dragoman-losses'] ?? '')
    response.writeHead(exchange.status, answer.headers)
    response.flushHeaders()
    answer.on('data', (chunk: Buffer) => {
      exchange.answer += chunk.toString('utf8')
      response.write(chunk)
      onAnswer()
    })
    answer.on('end', () => response.end())
    answer.on('error', () => response.destroy())
  })
  upstream.on('error', () => response.destroy())
  response.on('close', () => upstream.destroy())
  upstream.end(body)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // a request without encoding gives buffers
  return Buffer.concat(chunks)
}
