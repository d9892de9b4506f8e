import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'

/** The key of the callers. */
export const CALLER_KEY = 'bench-caller-key'
const UPSTREAM_KEY = 'bench-upstream-key'

/** The real server, as `npm start` runs it. */
export const SERVER_SCRIPT = serverScriptOf(join(import.meta.dirname, '../../..'))

/** The real server of a checkout of this repository. */
export function serverScriptOf(checkout: string): string {
  return resolve(checkout, 'apps/server/src/main.ts')
}

/** The provider for each protocol. Those without a variable are in a configuration file: a base URL of OpenAI's has two protocols. */
const PROVIDERS = [
  { protocol: 'chat', name: 'bench-chat' },
  { protocol: 'messages', name: 'anthropic', variable: 'ANTHROPIC' },
  { protocol: 'genai', name: 'google', variable: 'GEMINI' },
  { protocol: 'responses', name: 'bench-responses' },
]

/** The protocols that are measured through the server. */
export const SERVED: readonly Protocol[] = protocols.filter(({ name }) =>
  PROVIDERS.some((each) => each.protocol === name),
)

/** A model of the provider for a protocol. */
export function modelOf(protocol: string, model: string): string {
  const provider = PROVIDERS.find((known) => known.protocol === protocol)
  if (provider === undefined) throw new Error(`The server has no provider for the protocol ${protocol}.`)
  return `${provider.name}/${model}`
}

export type ServerEnvironment = { readonly [name: string]: string }

/** Points the server's providers at a scripted upstream. Everything else has its default. */
export function serverEnvironment(upstreamPort: number, models: readonly string[], folder: string): ServerEnvironment {
  const config = join(folder, 'dragoman.config.json')
  const env: Record<string, string> = {
    DRAGOMAN_DATA: folder,
    DRAGOMAN_KEYS: CALLER_KEY,
    DRAGOMAN_CONFIG: config,
    BENCH_UPSTREAM_KEY: UPSTREAM_KEY,
  }
  const providers: Record<string, object> = {}
  for (const { protocol, name, variable } of PROVIDERS) {
    const url = `http://127.0.0.1:${upstreamPort}/${protocol}`
    if (variable === undefined) {
      // Other upstreams of chat have an older name of a member, so requests to them are not relayed.
      providers[name] = { like: 'openai', endpoints: { [protocol]: url }, key: { env: 'BENCH_UPSTREAM_KEY' }, models }
      continue
    }
    env[`${variable}_BASE_URL`] = url
    env[`${variable}_API_KEY`] = UPSTREAM_KEY
    env[`DRAGOMAN_${name.toUpperCase()}_MODELS`] = models.join(',')
  }
  writeFileSync(config, JSON.stringify({ providers }))
  return env
}

/** A data folder for a server, removed when this process ends or before. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'))
  process.on('exit', () => removeFolder(folder))
  return folder
}

/** Retries, because a server that was just killed may still write into the folder. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}
