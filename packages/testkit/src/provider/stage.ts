import { Agent, createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@dragoman/core'
import type { Provider, ProviderOptions } from '@dragoman/core/provider'
import {
  createGateway,
  createMemoryKeys,
  createMemoryLedger,
  createMemoryLog,
  type LogEntry,
  type UsageRecord,
} from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import type { Client } from './clients.ts'
import { post } from './post.ts'
import type { ProviderSubject } from './subject.ts'
import { readAnswer, type Understood } from './understood.ts'
import { createScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

/** The caller's own key, which no upstream may ever see. */
export const CALLER_KEY = 'sk-caller-canary-0000'
/** The keys of the provider, which only its upstream may see. */
export const KEYS = ['sk-first-canary-1111', 'sk-second-canary-2222'] as const
/** The model that is called if the subject names none. */
export const SUITE_MODEL = 'org/suite-model:1'

/** A provider between a real gateway and a scripted upstream, with sockets on both sides. */
export interface Stage {
  /** The URL of the gateway. */
  readonly url: string
  readonly upstream: ScriptedUpstream
  readonly provider: Provider
  readonly log: readonly LogEntry[]
  readonly usage: readonly UsageRecord[]
  readonly ask: (client: Client, options: CallOptions) => Promise<CallResult>
  readonly close: () => Promise<void>
}

export interface CallOptions {
  readonly model?: string | undefined
  readonly stream?: boolean | undefined
  readonly more?: JsonObject | undefined
}

export interface CallResult {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly understood: Understood
}

export async function createStage(subject: ProviderSubject, options: ProviderOptions = {}): Promise<Stage> {
  const upstream = await createScriptedUpstream()
  const provider = subject.create({ ...optionsFor(subject, upstream.url), ...options })
  const log = createMemoryLog()
  const ledger = createMemoryLedger()
  const transport = createUndiciTransport()
  const agent = new Agent({ keepAlive: true })
  const gateway = createGateway({
    providers: [provider],
    transport,
    keys: createMemoryKeys([{ id: 'suite', secret: CALLER_KEY }]),
    log,
    ledger,
    unsupportedFields: 'accept',
    sealingKeys: ['sealing-key-of-the-suite-0123456789'],
    deadlines: { connect: 60_000, head: 60_000, idle: 60_000, total: 60_000 },
  })
  // A thread that was busy for seconds would send on a connection that the server is about to close.
  const server = createServer({ keepAliveTimeout: 0 }, createNodeHandler(gateway))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    upstream,
    provider,
    log: log.entries,
    usage: ledger.records,
    async ask(client, { model = modelOf(subject), stream = false, more = {} }) {
      const id = `${provider.name}/${model}`
      const body = JSON.stringify(client.body(id, stream, more))
      const target = `${url}${client.path(id, stream)}`
      const { status, headers, text, isBroken } = await post(agent, target, client.headers(CALLER_KEY), body)
      const type = headers['content-type'] ?? ''
      const understood = readAnswer(client.protocol, status, type, text)
      const hasFailed = status < 400 && understood.error !== undefined
      const isCut = hasFailed && client.protocol.stream.failsCleanly !== true
      if (isBroken !== isCut) throw new Error(`A stream that ${hasFailed ? 'fails' : 'is complete'} has the wrong end.`)
      return { status, headers, text, understood }
    },
    async close() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await transport.close()
      await upstream.close()
    },
  }
}

/** The options of every provider under test: an upstream, two keys, and an unknown model. */
export function optionsFor(subject: ProviderSubject, url: string): ProviderOptions {
  return {
    baseURL: `${url}${subject.basePath}`,
    ...(subject.auth === undefined ? {} : { keys: KEYS }),
    models: [{ name: SUITE_MODEL, upstream: 'suite-model-1' }],
  }
}

export function modelOf(subject: ProviderSubject): string {
  return subject.model ?? SUITE_MODEL
}

/** The canaries in a text, of any side. */
export function canaries(text: string): string[] {
  return text.match(/canary-\d{4}/g) ?? []
}
