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
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString('utf8')
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const body = await parseBody(bytes, headers['content-type'] ?? '')
  const { method = '', url: path = '' } = request
  return { method, path, headers, body, text: `${path}\n${JSON.stringify(headers)}\n${text}` }
}

/** The members of a body. Files of a form are data URLs, and repeated fields are lists. */
async function parseBody(bytes: Buffer, type: string): Promise<JsonObject> {
  if (bytes.length === 0) return {}
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString('utf8')) as JsonObject // the gateway wrote it
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const entries = [...new Set(form.keys())].map(async (name) => {
    const values = await Promise.all(form.getAll(name).map(readField))
    return [name, values.length === 1 ? (values[0] ?? '') : values] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function readField(value: File | string): Promise<string> {
  if (typeof value === 'string') return value
  return `data:${value.type};base64,${Buffer.from(await value.arrayBuffer()).toString('base64')}`
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
