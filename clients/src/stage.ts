import type { Double } from '@dragoman/testkit'
import type { Protocol } from './client.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { PROTOCOLS } from './scenarios.ts'
import { startServer } from './server.ts'
import { UPSTREAM_OF } from './upstreams.ts'

/** A server between a recorder and a double for each protocol. */
export interface Stage {
  readonly recorder: Recorder
  readonly doubles: Readonly<Record<Protocol, Double>>
  close(): Promise<void>
}

export async function createStage(): Promise<Stage> {
  const [chat, messages, genai] = await Promise.all(
    (['chat', 'messages', 'genai'] as const).map((name) =>
      UPSTREAM_OF[name].create([{ parts: [{ text: 'No script was set.' }] }]),
    ),
  )
  if (chat === undefined || messages === undefined || genai === undefined) throw new Error('A double is missing.')
  const doubles = { chat, messages, genai }
  const environment = PROTOCOLS.map((protocol) => UPSTREAM_OF[protocol].environment(doubles[protocol].url))
  const server = await startServer(Object.assign({}, ...environment) as Record<string, string>) // variables of the upstreams
  const recorder = await createRecorder(server.url)
  return {
    recorder,
    doubles,
    async close() {
      await recorder.close()
      for (const protocol of PROTOCOLS) await doubles[protocol].close()
      await server.stop()
    },
  }
}
