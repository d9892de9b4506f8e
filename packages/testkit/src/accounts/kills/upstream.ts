import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { CHAT_DONE, chatAnswer, chatChunk, chatDeltas, chatEnd } from '../../provider/scripts/chat.ts'
import { planIn, type Plan } from './plan.ts'

/** One attempt of a call, as the upstream has seen it. */
export interface SeenAttempt {
  /** The id of the call. */
  readonly id: string
  /** The process that sent it. */
  readonly pid: number
  /** What the gateway expected it to cost, in nano-dollars. */
  readonly estimate: number
  readonly plan: Plan
  /** `left`: the connection was closed before the answer was complete. */
  state: 'running' | 'answered' | 'refused' | 'broken' | 'left'
}

/** An upstream on a real socket that writes down every call it sees, and does what the call asks for. */
export interface LoggingUpstream {
  readonly url: string
  readonly seen: readonly SeenAttempt[]
  /** Answers the calls that are held, and all that come later. */
  release(): void
  close(): Promise<void>
}

export async function startUpstream(): Promise<LoggingUpstream> {
  const seen: SeenAttempt[] = []
  const released = Promise.withResolvers<void>()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const plan = planIn(await text(request))
    const { 'x-call': id, 'x-instance': pid, 'x-estimate': estimate } = request.headers
    const attempt: SeenAttempt = {
      id: String(id),
      pid: Number(pid),
      estimate: Number(estimate),
      plan,
      state: 'running',
    }
    seen.push(attempt)
    response.on('close', () => {
      if (attempt.state === 'running') attempt.state = 'left'
    })
    if (plan.do === 'stream' || plan.do === 'linger') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chatDeltas({ role: 'assistant', content: 'Hi' }).join(''))
      if (plan.do === 'linger') return
    }
    await (plan.do === 'hold' ? released.promise : pause(plan.delayMs))
    if (attempt.state === 'running') end(attempt, response)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    release: () => released.resolve(),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Ends the answer. The state changes first: a client that has read the end of the answer sees the new state. */
function end(attempt: SeenAttempt, response: ServerResponse): void {
  const { plan } = attempt
  const usage = {
    prompt_tokens: plan.input,
    completion_tokens: plan.output,
    total_tokens: plan.input + plan.output,
  }
  if (plan.do === 'reset') {
    attempt.state = 'broken'
    response.destroy()
  } else if (plan.do === 'refuse' || plan.do === 'fail') {
    attempt.state = 'refused'
    response.writeHead(plan.do === 'refuse' ? 400 : 500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'No.', type: 'invalid_request_error' } }))
  } else if (plan.do === 'stream') {
    attempt.state = 'answered'
    response.end(chatEnd('stop') + chatChunk({ choices: [], usage }) + CHAT_DONE)
  } else {
    attempt.state = 'answered'
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(chatAnswer({ content: 'Hi.' }, { usage }).body)
  }
}
