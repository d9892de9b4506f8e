import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on a free port that is closed with its connections by `await using`. */
export interface Listening extends AsyncDisposable {
  readonly url: string
  readonly server: Server
}

export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** One call at an upstream, and its response object. */
export interface Seen {
  readonly request: IncomingMessage
  readonly body: Buffer
  readonly response: ServerResponse
  /** Resolves when the connection of this call is closed before the response has ended. */
  readonly gone: Promise<void>
}

export interface Upstream extends Listening {
  /** The next call, whenever it arrives. */
  next(): Promise<Seen>
  readonly count: number
}

/** An upstream whose responses are all given by the test. */
export async function scriptedUpstream(): Promise<Upstream> {
  const seen: Seen[] = []
  const waiting: ((call: Seen) => void)[] = []
  let count = 0
  const listening = await listen((request, response) => {
    const chunks: Buffer[] = []
    const gone = new Promise<void>((resolve) => {
      response.on('close', () => {
        if (!response.writableFinished) resolve()
      })
    })
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      count++
      const call: Seen = { request, response, body: Buffer.concat(chunks), gone }
      const taker = waiting.shift()
      if (taker === undefined) seen.push(call)
      else taker(call)
    })
  })
  return {
    ...listening,
    get count() {
      return count
    },
    next() {
      const call = seen.shift()
      return call === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(call)
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** Writes a block repeatedly, each time after the previous one was sent; `written` counts them. */
export function pump(response: ServerResponse, block: Buffer, times: number): { readonly written: number } {
  const progress = { written: 0 }
  const write = (): void => {
    response.write(block, () => {
      if (++progress.written < times) write()
      else response.end('data: end\n\n')
    })
  }
  write()
  return progress
}

/** Repeats an action until the pump no longer moves. */
export async function settled(progress: { readonly written: number }, meanwhile: () => Promise<void>): Promise<void> {
  for (let before = -1; progress.written > before;) {
    before = progress.written
    for (let i = 0; i < 20; i++) await meanwhile()
  }
}

/** The text of an answer that is not ended cleanly. Throws if it is. */
export async function brokenText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  } catch {
    return text
  }
  throw new Error(`The answer ended cleanly: ${text}`)
}
