import { join } from 'node:path'
import type { Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { plainRequest } from '../corpus/requests.ts'
import { wireRequest } from '../corpus/wire.ts'
import { startChild, startRole, type Child } from './child.ts'
import {
  CALLER_KEY,
  modelOf,
  SERVED,
  SERVER_SCRIPT,
  serverEnvironment,
  serverScriptOf,
  temporaryFolder,
} from './gateway.ts'
import { installPortkey } from './portkey.ts'
import type { Shot } from './shot.ts'

/** A server between a client and the upstream, in its own process, with one kind of call. */
export interface Subject {
  readonly name: string
  readonly kind: Kind
  readonly child: Child
  readonly shot: (size: number, stream: boolean) => Shot
}

export type Kind = 'yardstick' | 'comparison' | 'relay' | 'translate' | 'before' | 'portkey'

/** A subject that has not been started. */
export interface Candidate {
  readonly name: string
  readonly kind: Kind
  readonly start: (upstreamPort: number) => Promise<Subject>
}

const PROBE = join(import.meta.dirname, 'probe.ts')
const MODEL = 'bench-model'

/** Every server with every kind of call: the yardstick first, twice. `before` is a checkout of another commit, for a comparison in one run. */
export function listCandidates(before?: string): Candidate[] {
  const pairs = SERVED.flatMap((client) => SERVED.map((upstream) => ({ client, upstream })))
  const isRelay = ({ client, upstream }: (typeof pairs)[number]): boolean => client === upstream
  return [
    plain('node:http pass-through', 'yardstick', 'relay'),
    plain('the same once more', 'yardstick', 'relay'),
    plain('node:http + undici dispatch', 'comparison', 'dispatch'),
    ...pairs.filter(isRelay).map(({ client, upstream }) => dragoman('relay', client, upstream)),
    ...pairs.filter((pair) => !isRelay(pair)).map(({ client, upstream }) => dragoman('translate', client, upstream)),
    ...(before === undefined ? [] : pairs.map(({ client, upstream }) => dragomanBefore(before, client, upstream))),
    ...portkey(),
  ]
}

/** The name of the same server in the other checkout. */
export function beforeOf(name: string): string {
  return `before: ${name}`
}

function dragomanBefore(checkout: string, client: Protocol, upstream: Protocol): Candidate {
  const after = dragoman('before', client, upstream, serverScriptOf(checkout))
  const name = beforeOf(after.name)
  return { ...after, name, start: async (upstreamPort) => ({ ...(await after.start(upstreamPort)), name }) }
}

function plain(name: string, kind: Kind, role: 'relay' | 'dispatch'): Candidate {
  return {
    name,
    kind,
    async start(upstreamPort) {
      const [protocol] = protocols
      if (protocol === undefined) throw new Error('No protocol to call in.')
      const child = await startRole(role, 'own', upstreamPort, PROBE)
      const shot: Subject['shot'] = (size, stream) => shotOf(child, `/${protocol.name}`, protocol, MODEL, size, stream)
      return { name, kind, child, shot }
    },
  }
}

/** The real server with its defaults: keys, routing, metering, a log line for every response. */
function dragoman(kind: Kind, client: Protocol, upstream: Protocol, script = SERVER_SCRIPT): Candidate {
  const name = `dragoman ${client.name} → ${upstream.name}`
  return {
    name,
    kind,
    async start(upstreamPort) {
      const folder = temporaryFolder()
      const env = serverEnvironment(upstreamPort, [MODEL], folder)
      const child = await startChild({ script, env, folder, core: 'own', probe: PROBE })
      const model = modelOf(upstream.name, MODEL)
      return { name, kind, child, shot: (size, stream) => shotOf(child, baseOf(client), client, model, size, stream) }
    },
  }
}

/** The prefix of the paths of a protocol at the gateway: its base, or a version under it. */
export function baseOf({ http }: Protocol): string {
  const [path = '', query = ''] = http.target('generate', 'model', false).path.split('?')
  const matches = (version: string) =>
    typeof http.match('POST', version + path, new URLSearchParams(query)) === 'object'
  return http.base + (['', '/v1'].find(matches) ?? '')
}

/** A call to a server at a port, under a base. */
export function shotOf(
  { port }: Pick<Child, 'port'>,
  base: string,
  protocol: Protocol,
  model: string,
  size: number,
  stream: boolean,
): Shot {
  const target = protocol.http.target('generate', model, stream)
  const body = JSON.stringify(wireRequest(protocol, plainRequest(model, stream, size)))
  return { port, path: base + target.path, headers: { ...target.headers, authorization: `Bearer ${CALLER_KEY}` }, body }
}

const PORTKEY_PROVIDERS = [
  { upstream: 'chat', provider: 'openai' },
  { upstream: 'messages', provider: 'anthropic' },
]

/** Portkey supports only chat, and has its own names for its providers. */
function portkey(): Candidate[] {
  const chat = protocols.find(({ name }) => name === 'chat')
  if (chat === undefined) return []
  return PORTKEY_PROVIDERS.map(({ upstream, provider }) => ({
    name: `Portkey chat → ${upstream}`,
    kind: 'portkey',
    async start(upstreamPort) {
      const args = (port: number) => [`--port=${port}`, '--headless']
      const child = await startChild({ script: installPortkey(), args, core: 'own', probe: PROBE })
      const host = `http://127.0.0.1:${upstreamPort}/${upstream}`
      const extra = { 'x-portkey-provider': provider, 'x-portkey-custom-host': host }
      return {
        name: `Portkey chat → ${upstream}`,
        kind: 'portkey',
        child,
        shot(size, stream) {
          const shot = shotOf(child, '/v1', chat, MODEL, size, stream)
          return { ...shot, headers: { ...shot.headers, ...extra } }
        },
      }
    },
  }))
}
