import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../endpoints.ts'
import type { Endpoint } from '../fields.ts'
import { startServer, type ServerProcess } from '../process.ts'
import { createFirehose, FIREHOSE_TEXT, type Firehose } from './firehose.ts'

let upstream: Firehose
let server: ServerProcess
beforeAll(async () => {
  upstream = await createFirehose()
  const environment = { OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'sk-upstream-chat' }
  server = await startServer({ DRAGOMAN_LOG: 'silent', DRAGOMAN_SIM: 'on', ...environment })
})
afterAll(async () => {
  await upstream.close()
  await server.stop()
})

/** What the sockets in between may hold, and much less than the whole response. */
const HELD = (FIREHOSE_TEXT * 3) / 4
const ENDPOINTS: readonly (readonly [Endpoint, end: RegExp])[] = [
  [chat, /data: \[DONE\]\n\n$/],
  [messages, /event: message_stop\ndata: .*\n\n$/],
  [genai, /"finishReason":"STOP".*\n\n$/],
]

describe.each(ENDPOINTS)('a client that does not read', (endpoint, end) => {
  it(`stops the upstream, and gets everything when it reads again: ${endpoint.protocol}`, async () => {
    // Chat is its first protocol, for all clients.
    const answer = await ask(endpoint, 'openai/gpt-4.1')
    await untilQuiet()
    expect(upstream.sent()).toBeLessThan(HELD)

    let size = 0
    let last = ''
    answer.setEncoding('latin1').on('data', (piece: string) => {
      size += piece.length
      last = (last + piece).slice(-1000)
    })
    await once(answer, 'end')
    expect(upstream.sent()).toBeGreaterThanOrEqual(FIREHOSE_TEXT)
    expect(size).toBeGreaterThan(FIREHOSE_TEXT)
    expect(last).toMatch(end)
  })
})

/** A stream of which only the head is read. */
async function ask(endpoint: Endpoint, model: string): Promise<IncomingMessage> {
  const { url, key } = server
  const call = request(url + endpoint.path(model, true), { method: 'POST', headers: endpoint.headers(key) })
  call.end(JSON.stringify(endpoint.body(model, true)))
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  return answer
}

const QUIET_CALLS = 25

/** Serves other calls one after another until the upstream sends nothing more. */
async function untilQuiet(): Promise<void> {
  for (let quiet = 0, before = -1; quiet < QUIET_CALLS; quiet = upstream.sent() === before ? quiet + 1 : 0) {
    before = upstream.sent()
    const others = await ask(chat, 'sim/chat-1')
    await once(others.resume(), 'end')
  }
}
