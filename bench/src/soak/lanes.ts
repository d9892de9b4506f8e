import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { protocols, type Protocol } from '@dragoman/core'
import { startChild, startRole, type Child } from '../server/child.ts'
import { CALLER_KEY } from '../server/gateway-server.ts'
import type { Shot } from '../server/load.ts'
import { baseOf, shotOf } from '../server/subjects.ts'

/** The real server, as an operator starts it, in front of the paced upstream. */
export interface Stage {
  readonly server: Child
  readonly upstream: Child
  stop(): void
}

/** The provider of each protocol, and the variables that point it at an upstream. */
const PROVIDERS: readonly { readonly protocol: string; readonly name: string; readonly variable: string }[] = [
  { protocol: 'chat', name: 'openai', variable: 'OPENAI' },
  { protocol: 'messages', name: 'anthropic', variable: 'ANTHROPIC' },
  { protocol: 'genai', name: 'google', variable: 'GEMINI' },
]
const MODELS = 'pace-10,pace-50,flood'

export async function startStage(): Promise<Stage> {
  const upstream = await startRole('paced', 'shared')
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-soak-'))
  const env: Record<string, string> = { DRAGOMAN_DATA: folder, DRAGOMAN_KEYS: CALLER_KEY }
  for (const { protocol, name, variable } of PROVIDERS) {
    env[`${variable}_BASE_URL`] = `http://127.0.0.1:${upstream.port}/${protocol}`
    env[`${variable}_API_KEY`] = 'bench-upstream-key'
    env[`DRAGOMAN_${name.toUpperCase()}_MODELS`] = MODELS
  }
  const server = await startChild({
    script: join(import.meta.dirname, '../../../apps/server/src/main.ts'),
    env,
    core: 'own',
    probe: join(import.meta.dirname, 'probe.ts'),
  })
  return {
    server,
    upstream,
    stop() {
      server.stop()
      upstream.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A client's protocol and an upstream's. */
export interface Lane {
  readonly client: Protocol
  readonly upstream: Protocol
}

const LANES: readonly Lane[] = protocols.flatMap((client) => protocols.map((upstream) => ({ client, upstream })))
export const RELAYED = LANES.filter(({ client, upstream }) => client === upstream)
export const TRANSLATED = LANES.filter(({ client, upstream }) => client !== upstream)

/** So many calls, spread over lanes. */
export function shotsOf({ server }: Stage, lanes: readonly Lane[], model: string, count: number): Shot[] {
  return spread(lanes, count).map(({ client, upstream }) => {
    const provider = PROVIDERS.find(({ protocol }) => protocol === upstream.name)
    return shotOf(server, baseOf(client), client, `${provider?.name}/${model}`, SIZE, true)
  })
}

/** The same calls without anybody in between. */
export function directShots({ upstream }: Stage, lanes: readonly Lane[], model: string, count: number): Shot[] {
  return spread(lanes, count).map(({ upstream: { name }, upstream: protocol }) =>
    shotOf(upstream, `/${name}`, protocol, model, SIZE, true),
  )
}

const SIZE = 200

function spread(lanes: readonly Lane[], count: number): Lane[] {
  return Array.from({ length: count }, (_none, index) => lanes[index % lanes.length]).filter(
    (lane) => lane !== undefined,
  )
}
