import { join } from 'node:path'
import { protocols, type Protocol } from '@dragoman/core'
import { startChild, startRole, type Child } from '../server/child.ts'
import { modelOf, SERVER_SCRIPT, serverEnvironment, temporaryFolder } from '../server/gateway.ts'
import type { Shot } from '../server/shot.ts'
import { baseOf, shotOf } from '../server/subjects.ts'

/** The real server, as an operator starts it, with the paced upstream. */
export interface Stage {
  readonly server: Child
  readonly upstream: Child
  stop(): void
}

const MODELS = ['pace-10', 'pace-50', 'flood']

export async function startStage(): Promise<Stage> {
  const upstream = await startRole('paced', 'shared')
  const folder = temporaryFolder()
  const server = await startChild({
    script: SERVER_SCRIPT,
    env: serverEnvironment(upstream.port, MODELS, folder),
    folder,
    core: 'own',
    flags: ['--expose-gc'],
    probe: join(import.meta.dirname, 'probe.ts'),
  })
  return {
    server,
    upstream,
    stop() {
      server.stop()
      upstream.stop()
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

/** A number of calls, spread over pairs of protocols. */
export function shotsOf({ server }: Stage, lanes: readonly Lane[], model: string, count: number): Shot[] {
  return spread(lanes, count).map(({ client, upstream }) =>
    shotOf(server, baseOf(client), client, modelOf(upstream.name, model), SIZE, true),
  )
}

/** The same calls without a server in between. */
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
