import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createChatDouble,
  createGenaiDouble,
  createMessagesDouble,
  createResponsesDouble,
  readChat,
  readGenai,
  readMessages,
  readResponses,
  type Double,
  type Received,
  type ReceivedRequest,
  type Script,
} from '@dragoman/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CLIENTS } from '../clients/all.ts'
import type { Client, Delivery, Finish, Turn } from '../clients/client.ts'
import type { UnsupportedFields } from '../../src/config/choices.ts'
import { startServer, type ServerProcess, type Variables } from '../process.ts'

/** A kind of upstream, and how it is configured in the server. */
export interface Upstream {
  readonly protocol: Client['protocol']
  /** The model id for callers. */
  readonly model: string
  readonly finishOf: Readonly<Record<Finish, string>>
  /** The header and the value that only this upstream may see. */
  readonly credential: readonly [name: string, value: string]
  create(script: Script): Promise<Double>
  environment(url: string, folder: string): { readonly [name: string]: string }
  read(body: Received['body']): ReceivedRequest
}

const IDLE: Script = [{ parts: [{ text: 'No script was set.' }] }]

export const UPSTREAMS: readonly Upstream[] = [
  {
    protocol: 'chat',
    model: 'openai/gpt-5.4',
    finishOf: { end: 'stop', calls: 'tool_calls', length: 'length', filter: 'content_filter', sequence: 'stop' },
    credential: ['authorization', 'Bearer sk-upstream-chat'],
    create: createChatDouble,
    environment: (url) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-upstream-chat' }),
    read: readChat,
  },
  {
    protocol: 'messages',
    model: 'anthropic/claude-sonnet-4.5',
    finishOf: {
      end: 'end_turn',
      calls: 'tool_use',
      length: 'max_tokens',
      filter: 'refusal',
      sequence: 'stop_sequence',
    },
    credential: ['x-api-key', 'sk-upstream-messages'],
    create: createMessagesDouble,
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'sk-upstream-messages' }),
    read: readMessages,
  },
  {
    protocol: 'genai',
    model: 'google/gemini-3.5-flash',
    finishOf: { end: 'STOP', calls: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY', sequence: 'STOP' },
    credential: ['x-goog-api-key', 'sk-upstream-genai'],
    create: (script) => createGenaiDouble(script, 'gemini-3.5-flash'),
    environment: (url) => ({ GEMINI_BASE_URL: url, GEMINI_API_KEY: 'sk-upstream-genai' }),
    read: readGenai,
  },
  {
    protocol: 'responses',
    model: 'house/gpt-5.4-pro',
    finishOf: {
      end: 'completed',
      calls: 'completed',
      length: 'max_output_tokens',
      filter: 'content_filter',
      sequence: 'completed',
    },
    credential: ['authorization', 'Bearer sk-upstream-responses'],
    create: createResponsesDouble,
    environment: (url, folder) => ({ DRAGOMAN_CONFIG: configOf(url, folder), HOUSE_KEY: 'sk-upstream-responses' }),
    read: readResponses,
  },
]

/** For configurations of tests: the double of chat speaks nothing else. */
export const CHAT_ONLY = { overrides: { 'gpt-5.4': { protocols: ['chat'] } } }

/** A provider of one's own that speaks only Responses. */
function configOf(baseURL: string, folder: string): string {
  const file = join(folder, 'dragoman.json')
  const house = {
    baseURL,
    key: { env: 'HOUSE_KEY' },
    endpoints: { responses: '.' },
    auth: { header: 'authorization', prefix: 'Bearer ' },
    models: [{ name: 'gpt-5.4-pro', reasoning: {} }],
  }
  // Upstreams of callers that leave are cancelled soon: no test waits for usage that never comes.
  const limits = { time: { usage: 0.05 } }
  writeFileSync(file, JSON.stringify({ providers: { house, openai: CHAT_ONLY }, limits }))
  return file
}

export interface Pair {
  readonly client: Client
  readonly upstream: Upstream
}

/** Every client with every upstream: the sixteen pairs of protocols, some of them several times. */
export const PAIRS: readonly (Pair & { readonly title: string })[] = CLIENTS.flatMap((client) =>
  UPSTREAMS.map((upstream) => ({ title: `${client.name} to ${upstream.protocol}`, client, upstream })),
)

export const DELIVERIES: readonly Delivery[] = ['streamed', 'whole']

/** A server process with a strict upstream for each protocol. */
export interface Stage {
  readonly server: () => ServerProcess
  readonly double: (upstream: Upstream) => Double
  /** The last request of the upstream. */
  readonly lastRequest: (upstream: Upstream) => ReceivedRequest
}

interface Started {
  readonly server: ServerProcess
  readonly doubles: ReadonlyMap<Upstream, Double>
  close(): Promise<void>
}

/** Started once for all files of a worker: a new server runs all of its code cold. */
const shared = test
  .extend('accept', { scope: 'worker' }, async ({}, { onCleanup }) => startShared('accept', onCleanup))
  .extend('refuse', { scope: 'worker' }, async ({}, { onCleanup }) => startShared('refuse', onCleanup))

/** The stage that files share. Before every test, its upstreams have the same script and no calls. */
export function useStage(unsupportedFields: UnsupportedFields = 'accept'): Stage {
  let stage: Started | undefined
  if (unsupportedFields === 'accept') shared.beforeAll(({ accept }) => void (stage = accept))
  else shared.beforeAll(({ refuse }) => void (stage = refuse))
  return stageOf(() => stage)
}

/** A stage for the tests of one file, with an environment of their own. */
export function useOwnStage(environment: Variables): Stage {
  let stage: Started | undefined
  beforeAll(async () => {
    stage = await start(environment)
  })
  afterAll(() => stage?.close())
  return stageOf(() => stage)
}

async function startShared(
  setting: UnsupportedFields,
  onCleanup: (close: () => Promise<void>) => void,
): Promise<Started> {
  const stage = await start({ DRAGOMAN_UNSUPPORTED_FIELDS: setting })
  onCleanup(() => stage.close())
  return stage
}

async function start(environment: Variables): Promise<Started> {
  const variables: Record<string, string> = { DRAGOMAN_LOG: 'silent' }
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-stage-'))
  const doubles = new Map<Upstream, Double>()
  for (const upstream of UPSTREAMS) {
    const created = await upstream.create(IDLE)
    doubles.set(upstream, created)
    Object.assign(variables, upstream.environment(created.url, folder))
  }
  const server = await startServer({ ...variables, ...environment })
  return {
    server,
    doubles,
    async close() {
      for (const one of doubles.values()) await one.close()
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

function stageOf(find: () => Started | undefined): Stage {
  const started = (): Started => {
    const stage = find()
    if (stage === undefined) throw new Error('The stage has not been started.')
    return stage
  }
  const double = (upstream: Upstream): Double => {
    const found = started().doubles.get(upstream)
    if (found === undefined) throw new Error(`The stage has no ${upstream.protocol}.`)
    return found
  }
  beforeEach(() => {
    for (const one of started().doubles.values()) one.play(...IDLE)
  })
  return {
    server: () => started().server,
    double,
    lastRequest(upstream) {
      const last = double(upstream).received.at(-1)
      if (last === undefined) throw new Error(`${upstream.protocol} received no call.`)
      return upstream.read(last.body)
    },
  }
}

/** The headers that every response has. */
export function expectMode(
  { headers }: Pick<Turn, 'headers'>,
  { client, upstream }: Pair,
  mode?: 'relay' | 'translate',
): void {
  expect(headers.get('x-dragoman-path')).toBe(mode ?? (client.protocol === upstream.protocol ? 'relay' : 'translate'))
  expect(headers.get('x-dragoman-model')).toBe(upstream.model)
  expect(headers.get('x-dragoman-provider')).toBe(upstream.model.split('/')[0])
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
  expect(headers.get('request-id')).toBe(headers.get('x-request-id'))
}

/** The upstream saw its own key, and nothing of the caller's. */
export function expectOwnKey({ credential }: Upstream, { headers, body }: Received, callerKey: string): void {
  const [name, value] = credential
  expect(headers[name]).toBe(value)
  const everything = JSON.stringify([headers, body])
  expect(everything).not.toContain(callerKey)
  expect(everything.split('sk-upstream-')).toHaveLength(2)
}
