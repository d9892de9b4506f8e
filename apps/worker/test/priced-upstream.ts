import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An upstream that reports 10 tokens of input and 5 of output, whole or as a stream that ends when it is told to. */
export interface PricedUpstream {
  readonly url: string
  /** How many calls it has seen. */
  readonly calls: () => number
  /** How many calls were left by the worker before they had an answer. Calls that contain `HOLD` get none. */
  readonly left: () => number
  /** Streams go on until this is called. */
  finishStreams(): void
  stop(): void
}

/** The model, and what one call of it costs by its card: 0.2 and 1.2 dollars for a million tokens. */
export const MODEL = 'openai/gpt-5.6-luna'
export const COST = '0.000008'
/** A prompt that is not answered. */
export const HOLD = 'wait for me'

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const HEAD = { id: 'c', created: 1, model: 'gpt-5.6-luna' }
const PIECE_MS = 20

export async function startPricedUpstream(): Promise<PricedUpstream> {
  let calls = 0
  let left = 0
  const streams = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      calls++
      if (body.includes(HOLD)) response.on('close', () => left++)
      else if ((JSON.parse(body) as { stream?: boolean }).stream === true) stream(response)
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole()))
    })
  })
  const stream = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    streams.add(response)
    const sending = setInterval(() => {
      if (!response.writableEnded) response.write(chunk({ content: 'word ' }))
    }, PIECE_MS)
    response.on('close', () => {
      clearInterval(sending)
      streams.delete(response)
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls: () => calls,
    left: () => left,
    finishStreams() {
      for (const response of streams) {
        const last = { ...HEAD, object: 'chat.completion.chunk', choices: [], usage: USAGE }
        response.end(`${chunk({}, 'stop')}data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`)
      }
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function whole(): object {
  const message = { role: 'assistant', content: 'Hi.' }
  return { ...HEAD, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: USAGE }
}

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices })}\n\n`
}
