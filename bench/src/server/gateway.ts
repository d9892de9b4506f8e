import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'

/** The key of the callers. */
export const CALLER_KEY = 'bench-caller-key'

/** The real server, as `npm start` runs it. */
export const SERVER_SCRIPT = serverScriptOf(join(import.meta.dirname, '../../..'))

/** The real server of a checkout of this repository. */
export function serverScriptOf(checkout: string): string {
  return resolve(checkout, 'apps/server/src/main.ts')
}

/** The provider of each protocol, and the prefix of its environment variables. */
const PROVIDERS = [
  { protocol: 'chat', name: 'openai', variable: 'OPENAI' },
  { protocol: 'messages', name: 'anthropic', variable: 'ANTHROPIC' },
  { protocol: 'genai', name: 'google', variable: 'GEMINI' },
]

/** The protocols that are measured through the server: those with a provider of their own. */
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
  const env: Record<string, string> = { DRAGOMAN_DATA: folder, DRAGOMAN_KEYS: CALLER_KEY }
  for (const { protocol, name, variable } of PROVIDERS) {
    env[`${variable}_BASE_URL`] = `http://127.0.0.1:${upstreamPort}/${protocol}`
    env[`${variable}_API_KEY`] = 'bench-upstream-key'
    env[`DRAGOMAN_${name.toUpperCase()}_MODELS`] = models.join(',')
  }
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
