import { protocols, type Protocol } from '@dragoman/core'
import { plainRequest } from '../corpus/requests.ts'
import { wireRequest } from '../corpus/wire.ts'
import { startChild, startRole, type Child } from './child.ts'
import { CALLER_KEY } from './gateway-server.ts'
import type { Shot } from './load.ts'
import { installPortkey } from './portkey.ts'

/** Something that stands between a client and the upstream, asked in one way. */
export interface Subject {
  readonly name: string
  readonly kind: 'yardstick' | 'comparison' | 'relay' | 'translate' | 'portkey'
  readonly child: Child
  readonly shot: (size: number, stream: boolean) => Shot
}

/** Starts every server, and gives every way to ask them: the yardstick first. */
export async function startSubjects(upstreamPort: number): Promise<Subject[]> {
  const gateway = await startRole('gateway', 'own', upstreamPort)
  return [
    plainSubject('node:http relay', 'yardstick', await startRole('relay', 'own', upstreamPort)),
    plainSubject('node:http + undici dispatch', 'comparison', await startRole('dispatch', 'own', upstreamPort)),
    ...protocols.flatMap((client) => protocols.map((upstream) => gatewaySubject(gateway, client, upstream))),
    ...(await startPortkey(upstreamPort)),
  ]
}

function plainSubject(name: string, kind: Subject['kind'], child: Child): Subject {
  const [protocol] = protocols
  if (protocol === undefined) throw new Error('There is no protocol to ask in.')
  return {
    name,
    kind,
    child,
    shot: (size, stream) => shotOf(child, `/${protocol.name}`, protocol, 'bench-model', size, stream),
  }
}

function gatewaySubject(child: Child, client: Protocol, upstream: Protocol): Subject {
  const kind = client === upstream ? 'relay' : 'translate'
  return {
    name: `dragoman ${client.name} → ${upstream.name}`,
    kind,
    child,
    shot: (size, stream) => shotOf(child, baseOf(client), client, `bench/${upstream.name}-1`, size, stream),
  }
}

/** Where the targets of a protocol stand at the gateway: right under its base, or under a version. */
export function baseOf({ http }: Protocol): string {
  const [path = '', query = ''] = http.target('generate', 'model', false).path.split('?')
  const matches = (version: string) =>
    typeof http.match('POST', version + path, new URLSearchParams(query)) === 'object'
  return http.base + (['', '/v1'].find(matches) ?? '')
}

/** A call of a server that listens on a port, under a base. */
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

/** Portkey takes chat alone; it calls its providers under their own names. */
async function startPortkey(upstreamPort: number): Promise<Subject[]> {
  const chat = protocols.find(({ name }) => name === 'chat')
  const script = installPortkey()
  if (script === undefined || chat === undefined) return []
  const args = (port: number) => [`--port=${port}`, '--headless']
  const child = await startChild({ script, args, core: 'own' })
  return PORTKEY_PROVIDERS.filter(({ upstream }) => protocols.some(({ name }) => name === upstream)).map(
    ({ upstream, provider }) => ({
      name: `Portkey chat → ${upstream}`,
      kind: 'portkey',
      child,
      shot(size, stream) {
        const shot = shotOf(child, '/v1', chat, 'bench-model', size, stream)
        const host = `http://127.0.0.1:${upstreamPort}/${upstream}`
        return {
          ...shot,
          headers: { ...shot.headers, 'x-portkey-provider': provider, 'x-portkey-custom-host': host },
        }
      },
    }),
  )
}

const PORTKEY_PROVIDERS = [
  { upstream: 'chat', provider: 'openai' },
  { upstream: 'messages', provider: 'anthropic' },
]
