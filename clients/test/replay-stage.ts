import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway, createMemoryKeys, createMemoryLog, type LogEntry } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { createAnthropic } from '@dragoman/provider-anthropic'
import { createGoogle } from '@dragoman/provider-google'
import { createOpenAI } from '@dragoman/provider-openai'
import { createCompatible } from '@dragoman/provider-openai-compatible'
import type { Protocol } from '../src/client.ts'
import { MODEL, type RecordedRequest } from '../src/fixture.ts'
import { createDoubles, type Doubles } from '../src/stage.ts'
import { UPSTREAM_OF } from '../src/upstreams.ts'

const KEY = 'sk-of-the-replay'

/** A gateway on a socket, with a strict double for each protocol. */
export interface ReplayStage {
  readonly doubles: Doubles
  /** Sends a recorded request for the model of an upstream, and returns the answer and its log entry. */
  send(
    request: RecordedRequest,
    upstream: Protocol,
  ): Promise<{ readonly response: Response; readonly text: string; readonly entry: LogEntry }>
  close(): Promise<void>
}

export async function createReplayStage(): Promise<ReplayStage> {
  const doubles = await createDoubles()
  const transport = createUndiciTransport()
  const log = createMemoryLog()
  const gateway = createGateway({
    providers: [
      createOpenAI({
        keys: ['sk-upstream-chat'],
        baseURL: doubles.chat.url,
        // The double speaks nothing else.
        overrides: { 'gpt-5.4': { protocols: ['chat'] } },
      }),
      createAnthropic({ keys: ['sk-upstream-messages'], baseURL: doubles.messages.url }),
      createCompatible({
        name: 'house',
        keys: ['sk-upstream-responses'],
        baseURL: doubles.responses.url,
        endpoints: { responses: '.' },
        models: [{ name: 'gpt-5.4-pro', reasoning: {} }],
      }),
      createGoogle({ keys: ['sk-upstream-genai'], baseURL: doubles.genai.url }),
    ],
    keys: createMemoryKeys([{ id: 'replay', secret: KEY }]),
    transport,
    log,
  })
  const server = createServer(createNodeHandler(gateway))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    doubles,
    async send({ method, path, headers, body }, upstream) {
      const fill = (text: string): string => text.replaceAll(MODEL, UPSTREAM_OF[upstream].model).replaceAll('KEY', KEY)
      const response = await fetch(`http://127.0.0.1:${port}${fill(path)}`, {
        method,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
        ...(body === undefined ? {} : { body: fill(JSON.stringify(body)) }),
      })
      const text = await response.text()
      const id = response.headers.get('x-request-id')
      const entry = log.entries.findLast(({ requestId }) => requestId === id) as LogEntry // every call is logged
      return { response, text, entry }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await gateway.close(0)
      await transport.close()
      for (const double of Object.values(doubles)) await double.close()
    },
  }
}
