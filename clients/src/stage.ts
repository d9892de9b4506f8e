import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Double } from '@dragoman/testkit'
import type { Protocol } from './client.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { PROTOCOLS } from './scenarios.ts'
import { startServer } from './server.ts'
import { UPSTREAM_OF } from './upstreams.ts'

/** A server between a recorder and a double for each protocol. */
export interface Stage {
  readonly recorder: Recorder
  readonly doubles: Doubles
  close(): Promise<void>
}

export type Doubles = Readonly<Record<Protocol, Double>>

export async function createDoubles(): Promise<Doubles> {
  const create = (protocol: Protocol): Promise<Double> =>
    UPSTREAM_OF[protocol].create([{ parts: [{ text: 'No script was set.' }] }])
  return {
    chat: await create('chat'),
    messages: await create('messages'),
    genai: await create('genai'),
    responses: await create('responses'),
  }
}

export async function createStage(): Promise<Stage> {
  const doubles = await createDoubles()
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-clients-'))
  const server = await startServer(environmentOf(doubles, folder))
  const recorder = await createRecorder(server.url)
  return {
    recorder,
    doubles,
    async close() {
      await recorder.close()
      for (const protocol of PROTOCOLS) await doubles[protocol].close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The variables of a server with these upstreams. Its configuration file is written into the folder. */
function environmentOf(doubles: Doubles, folder: string): { readonly [name: string]: string } {
  const upstreams = PROTOCOLS.map((protocol) => ({ ...UPSTREAM_OF[protocol], url: doubles[protocol].url }))
  const file = join(folder, 'dragoman.json')
  const providers: object[] = upstreams.map(({ providers: own, url }) => own?.(url) ?? {})
  writeFileSync(file, JSON.stringify({ providers: Object.assign({}, ...providers) as object })) // by their names
  const variables = upstreams.map((upstream) => upstream.environment(upstream.url))
  return Object.assign({ DRAGOMAN_CONFIG: file }, ...variables) as Record<string, string> // variables of the upstreams
}
