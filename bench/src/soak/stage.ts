import { join } from 'node:path'
import type { Protocol } from '@dragoman/core'
import { startChild, startRole, type Child } from '../server/child.ts'
import { modelOf, SERVED, SERVER_SCRIPT, serverEnvironment, temporaryFolder } from '../server/gateway.ts'
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
export interface Pair {
  readonly client: Protocol
  readonly upstream: Protocol
}

const PAIRS: readonly Pair[] = SERVED.flatMap((client) => SERVED.map((upstream) => ({ client, upstream })))
export const RELAYED = PAIRS.filter(({ client, upstream }) => client === upstream)
export const TRANSLATED = PAIRS.filter(({ client, upstream }) => client !== upstream)

/** A number of calls, spread over pairs of protocols. */
export function shotsOf({ server }: Stage, pairs: readonly Pair[], model: string, count: number): Shot[] {
  return spread(pairs, count).map(({ client, upstream }) =>
    shotOf(server, baseOf(client), client, modelOf(upstream.name, model), SIZE, true),
  )
}

/** The same calls without a server in between. */
export function directShots({ upstream }: Stage, pairs: readonly Pair[], model: string, count: number): Shot[] {
  return spread(pairs, count).map(({ upstream: { name }, upstream: protocol }) =>
    shotOf(upstream, `/${name}`, protocol, model, SIZE, true),
  )
}

const SIZE = 200

function spread(pairs: readonly Pair[], count: number): Pair[] {
  return Array.from({ length: count }, (_none, index) => pairs[index % pairs.length]).filter(
    (pair) => pair !== undefined,
  )
}
