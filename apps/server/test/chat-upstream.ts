import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An upstream with a chat completions API whose answers the test writes. */
export interface ChatUpstream {
  readonly url: string
  /** The requests that it received. */
  readonly requests: readonly IncomingMessage[]
  answer: (response: ServerResponse) => void
  close(): void
}

const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }

const LAST = frame({ ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })

/** The text of every answer. */
export const ANSWER_TEXT = 'canary answer'

export async function startChatUpstream(): Promise<ChatUpstream> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    request.resume().on('end', () => upstream.answer(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const upstream: ChatUpstream = {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    answer: answerWhole,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return upstream
}

export function answerWhole(response: ServerResponse): void {
  const message = { role: 'assistant', content: ANSWER_TEXT }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  const body = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage: USAGE }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function answerStream(response: ServerResponse): void {
  beginStream(response)
  response.end(`${LAST}${frame({ ...CHUNK, choices: [], usage: USAGE })}data: [DONE]\n\n`)
}

/** A stream without usage. */
export function answerUncounted(response: ServerResponse): void {
  beginStream(response)
  response.end(`${LAST}data: [DONE]\n\n`)
}

/** Writes the first chunk of a stream. */
export function beginStream(response: ServerResponse): void {
  const choices = [{ index: 0, delta: { role: 'assistant', content: ANSWER_TEXT }, finish_reason: null }]
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame({ ...CHUNK, choices }))
}

export function answerError(response: ServerResponse): void {
  const error = { message: ANSWER_TEXT, type: 'rate_limit_error' }
  response.writeHead(429, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
}

function frame(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
