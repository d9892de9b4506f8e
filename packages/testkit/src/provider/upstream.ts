import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { JsonObject } from '@dragoman/core'
import type { ScriptedAnswer } from './subject.ts'

/** One call as it arrived. */
export interface SeenCall {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: JsonObject
  /** Everything that was received, to search for what must not be in it. */
  readonly text: string
}

/** An upstream on a real socket with scripted responses. */
export interface ScriptedUpstream {
  readonly url: string
  readonly seen: readonly SeenCall[]
  /** Sets the response to the next calls. */
  answer(script: ScriptedAnswer | ((call: SeenCall) => ScriptedAnswer | 'reset')): void
  close(): Promise<void>
}

export async function createScriptedUpstream(): Promise<ScriptedUpstream> {
  const seen: SeenCall[] = []
  let script: (call: SeenCall) => ScriptedAnswer | 'reset' = () => ({ body: '{}' })
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await read(request)
    seen.push(call)
    const answer = script(call)
    if (answer === 'reset') response.destroy()
    else await send(answer, response)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    answer(given) {
      script = typeof given === 'function' ? given : () => given
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function read(request: IncomingMessage): Promise<SeenCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // a request without encoding gives buffers
  const text = Buffer.concat(chunks).toString('utf8')
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const body = text === '' ? {} : (JSON.parse(text) as JsonObject) // the gateway wrote it
  const { method = '', url: path = '' } = request
  return { method, path, headers, body, text: `${path}\n${JSON.stringify(headers)}\n${text}` }
}

async function send(
  { status = 200, headers, body, frames, sending }: ScriptedAnswer,
  response: ServerResponse,
): Promise<void> {
  const type = frames === undefined ? 'application/json' : 'text/event-stream'
  response.writeHead(status, { 'content-type': type, ...headers })
  if (frames === undefined) return void response.end(body ?? '')
  const bytes = Buffer.from(frames.join(''))
  const step = sending === 'bytes' ? 1 : Math.max(1, bytes.length)
  for (let start = 0; start < bytes.length; start += step) {
    response.write(bytes.subarray(start, start + step))
    if (start % 64 === 0) await setImmediate()
  }
  if (sending !== 'broken') return void response.end()
  await setImmediate()
  response.destroy()
}
