import { resolve } from 'node:path'
import { didYouMean, listOf, type Deadlines, type Environment } from '@dragoman/core/provider'
import type { GatewayOptions, GuardOptions, ItemMemoryOptions } from '@dragoman/gateway'
import { breakerOptions } from './breaker.ts'
import { LOG_LEVELS, MODEL_LISTS, UNSUPPORTED_FIELDS, type LogLevel, type UnsupportedFields } from './config/choices.ts'
import type { Config } from './config/schema.ts'
import { VARIABLES } from './variables.ts'

/** Settings of the server itself, from the environment and the configuration file. */
export interface ServerSettings {
  readonly host: string
  /** 0 uses any free port. */
  readonly port: number
  /** The folder for data that is kept across restarts. */
  readonly dataFolder: string
  /** The address of the gateway for its callers; absent: the one that a caller has used. */
  readonly publicUrl?: string
  /** Allowed browser origins: a list, or '*' for all. */
  readonly origins: readonly string[] | '*'
  /** Whether request fields that the specification does not accept are accepted or refused. */
  readonly unsupportedFields: UnsupportedFields
  /** Whether model lists need a key. */
  readonly modelLists: (typeof MODEL_LISTS)[number]
  readonly logLevel: LogLevel
  /** Where metrics are served; absent: nowhere. */
  readonly metrics?: { readonly host: string; readonly port: number }
  /** How long running calls may take to finish after a signal, in milliseconds. */
  readonly graceMs: number
  /** How long calls are still accepted after a signal, in milliseconds. */
  readonly drainMs: number
  /** The longest silence of a stream, in milliseconds. */
  readonly keepAliveMs?: number
  /** How long usage is awaited after a caller has left, in milliseconds. */
  readonly usageMs?: number
  /** How long a request may take to arrive, in milliseconds. */
  readonly bodyMs?: number
  /** The limit for all headers of a request, in bytes. */
  readonly headerBytes: number
  /** The limit of concurrent client connections. */
  readonly connections: number
  /** Larger requests and answers are processed by another thread. */
  readonly inlineBytes: number
  /** When calls to an upstream that fails are stopped. */
  readonly breaker: NonNullable<GatewayOptions['breaker']>
  readonly limits: Limits
  readonly deadlines: Partial<Deadlines>
  /** Absent: nothing is downloaded. */
  readonly downloads?: GuardOptions
  /** Absent: nothing is remembered. */
  readonly itemMemory?: ItemMemoryOptions
}

/** Limits in bytes and in concurrent calls; by default those of the gateway. */
export interface Limits {
  readonly body?: number
  readonly part?: number
  readonly bodies?: number
  readonly answer?: number
  readonly concurrency?: number
  readonly perKey?: number
  readonly downloads?: number
}

/** A mistake that the operator can fix. Only its message is shown. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Receives a mistake in the environment, as a line for the operator. */
export type Wrong = (line: string) => void

/** Refuses at the first mistake. */
export const refuse: Wrong = (line) => {
  throw new StartError(line)
}

/** The settings. A variable takes precedence over the file. An invalid value is a mistake that names its variable; the default is used. */
export function readSettings(
  environment: Environment,
  { server = {}, defaults = {}, limits = {}, routing = {}, downloads = {}, itemMemory = {} }: Config = {},
  wrong: Wrong = refuse,
) {
  const { time = {} } = limits
  const choice = createChoice(environment, wrong)
  const origins = listOf(environment[VARIABLES.cors])
  return {
    host: environment[VARIABLES.host] || (server.host ?? '127.0.0.1'),
    port: numberOf(environment, VARIABLES.port, server.port ?? 8080, 65_535, wrong),
    dataFolder: resolve(environment[VARIABLES.data] || (server.data ?? 'data')),
    origins: origins.includes('*') ? '*' : origins.length > 0 ? origins : (server.cors ?? []),
    unsupportedFields: choice(VARIABLES.unsupportedFields, UNSUPPORTED_FIELDS, defaults.unsupportedFields ?? 'accept'),
    modelLists: choice(VARIABLES.modelLists, MODEL_LISTS, defaults.modelLists ?? 'public'),
    logLevel: choice(VARIABLES.log, LOG_LEVELS, server.log ?? 'info'),
    drainMs: numberOf(environment, VARIABLES.drain, server.drain ?? 5, 3600, wrong) * 1000,
    graceMs: numberOf(environment, VARIABLES.grace, server.grace ?? 30, 3600, wrong) * 1000,
    headerBytes: bytesOf(limits.headers) ?? 16 * 1024,
    connections: limits.connections ?? 10_000,
    inlineBytes: bytesOf(limits.inline) ?? 256 * 1024,
    ...given({
      metrics: metricsOf(environment, server.metrics, wrong),
      publicUrl: publicUrlOf(environment, server, wrong),
    }),
    ...given({ keepAliveMs: millisecondsOf(defaults.keepAlive), bodyMs: millisecondsOf(time.body) }),
    ...given({ usageMs: millisecondsOf(time.usage) }),
    limits: given({
      body: bytesOf(limits.body),
      part: bytesOf(limits.part),
      bodies: bytesOf(limits.bodies),
      answer: bytesOf(limits.answer),
      concurrency: limits.concurrency,
      perKey: limits.perKey,
      downloads: downloads.count,
      counts: limits.counts && given(limits.counts),
    }),
    breaker: breakerOptions(routing.breaker),
    ...given({ downloads: downloadsOf(choice, downloads), itemMemory: itemMemoryOf(choice, itemMemory) }),
    deadlines: given({
      connect: millisecondsOf(time.connect),
      head: millisecondsOf(time.head),
      idle: millisecondsOf(time.idle),
      total: millisecondsOf(time.total),
    }),
  } satisfies ServerSettings
}

function downloadsOf(
  choice: Choose,
  { enabled = true, allow, http, size, time }: NonNullable<Config['downloads']>,
): GuardOptions | undefined {
  if (choice(VARIABLES.downloads, ['on', 'off'], enabled ? 'on' : 'off') === 'off') return undefined
  return { allow, http, limit: bytesOf(size), deadlines: given({ total: millisecondsOf(time) }) }
}

function itemMemoryOf(
  choice: Choose,
  { enabled = true, size, time }: NonNullable<Config['itemMemory']>,
): ItemMemoryOptions | undefined {
  if (choice(VARIABLES.itemMemory, ['on', 'off'], enabled ? 'on' : 'off') === 'off') return undefined
  return given({ bytes: bytesOf(size), ms: millisecondsOf(time) })
}

/** Metrics have a port of their own, because they show every caller's traffic. */
function metricsOf(
  environment: Environment,
  metrics: MetricsConfig | undefined,
  wrong: Wrong,
): ServerSettings['metrics'] {
  if (metrics === undefined && !environment[VARIABLES.metricsPort]) return undefined
  return {
    host: environment[VARIABLES.metricsHost] || (metrics?.host ?? '127.0.0.1'),
    port: numberOf(environment, VARIABLES.metricsPort, metrics?.port ?? 0, 65_535, wrong),
  }
}

function publicUrlOf(
  environment: Environment,
  { publicUrl }: NonNullable<Config['server']>,
  wrong: Wrong,
): string | undefined {
  const text = environment[VARIABLES.publicUrl] || publicUrl
  if (text === undefined || /^https?:\/\/[^/?#]+[^?#]*$/.test(text)) return text
  wrong(`${environment[VARIABLES.publicUrl] ? VARIABLES.publicUrl : 'server.publicUrl'} must be an http or https URL.`)
  return undefined
}

type MetricsConfig = NonNullable<Config['server']>['metrics']

function millisecondsOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000)
}

const UNITS = ['', 'KB', 'MB', 'GB']

/** A size such as `32 MB`, which the schema has already checked. */
export function bytesOf(size: number | string | undefined): number | undefined {
  if (typeof size !== 'string') return size
  const [, count, unit = ''] = /^(\d+) ?(\w*)$/.exec(size) ?? []
  return Number(count) * 1024 ** UNITS.indexOf(unit)
}

/** Only members with a value, so that the others do not replace a default. */
function given<Members extends object>(members: Members): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Name in keyof Members]?: NonNullable<Members[Name]> } // members without a value are removed
}

export function numberOf(
  environment: Environment,
  name: string,
  byDefault: number,
  most: number,
  wrong: Wrong = refuse,
): number {
  const text = environment[name]
  if (text === undefined || text === '') return byDefault
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= most) return value
  wrong(`${name} must be a whole number from 0 to ${most}.`)
  return byDefault
}

export function choiceOf<Choice extends string, Default = Choice>(
  environment: Environment,
  name: string,
  choices: readonly Choice[],
  byDefault: Default,
  wrong: Wrong = refuse,
): Choice | Default {
  const text = environment[name]
  if (text === undefined || text === '') return byDefault
  const choice = choices.find((known) => known === text)
  if (choice !== undefined) return choice
  // The value is not shown: it may be a misplaced secret.
  wrong(
    `${name} must be one of ${choices.filter((known) => known !== '').join(', ')}${didYouMean(text, choices) || '.'}`,
  )
  return byDefault
}

type Choose = <Choice extends string>(name: string, choices: readonly Choice[], byDefault: Choice) => Choice

function createChoice(environment: Environment, wrong: Wrong): Choose {
  return (name, choices, byDefault) => choiceOf(environment, name, choices, byDefault, wrong)
}
