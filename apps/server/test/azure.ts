import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createChatDouble, createResponsesDouble, type Double } from '@dragoman/testkit'

/** An Azure resource on a real socket: both APIs of OpenAI under `/openai/v1`, with a key in one of two headers and no version. */
export interface Azure {
  readonly url: string
  readonly chat: Double
  readonly responses: Double
  /** The headers with the key of each call, in order. */
  readonly keys: readonly (readonly [header: string, key: string])[]
  close(): Promise<void>
}

export async function createAzure(key: string): Promise<Azure> {
  const idle = [{ parts: [{ text: 'No script was set.' }] }] as const
  const chat = await createChatDouble(idle)
  const responses = await createResponsesDouble(idle)
  const keys: (readonly [string, string])[] = []
  const server: Server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { url = '', headers } = request
      const header = headers['api-key'] === undefined ? 'authorization' : 'api-key'
      keys.push([header, String(headers[header])])
      const isKnown = headers['api-key'] === key || headers.authorization === `Bearer ${key}`
      if (!isKnown) return void response.writeHead(401).end('{"error":{"code":"401","message":"Access denied"}}')
      const path = /^\/openai(\/v1\/(?:chat\/completions|responses))$/.exec(url)?.[1]
      if (path === undefined)
        return void response.writeHead(404).end('{"error":{"code":"404","message":"Resource not found"}}')
      const upstream = await forward(request, `${(path.includes('chat') ? chat : responses).url}${path}`)
      response.writeHead(upstream.status, { 'content-type': upstream.headers.get('content-type') ?? '' })
      response.end(await upstream.text())
    }
    void answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    chat,
    responses,
    keys,
    async close() {
      await chat.close()
      await responses.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function forward(request: IncomingMessage, url: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer known' }
  return fetch(url, { method: request.method ?? 'POST', headers, body: await text(request) })
}
