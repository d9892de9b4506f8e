import { resolve } from 'node:path'

/** What the environment says. */
export interface ServerSettings {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** Where the server keeps what must outlive it. */
  readonly dataFolder: string
  /** Keys that callers may use; a local one is made when there are none. */
  readonly keys: readonly string[]
  /** Browser origins that may call: a list, or '*' for all. */
  readonly origins: readonly string[] | '*'
  /** What becomes of request fields that the specification does not accept. */
  readonly unsupportedFields: UnsupportedFields
  readonly logLevel: LogLevel
  /** How long running answers may take to finish after a signal, in milliseconds. */
  readonly graceMs: number
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
const UNSUPPORTED_FIELDS = ['refuse', 'accept'] as const
export type UnsupportedFields = (typeof UNSUPPORTED_FIELDS)[number]

export type Environment = { readonly [name: string]: string | undefined }

/** A mistake that the operator can mend: its message is all there is to say. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Reads the settings; a value that makes no sense is an error that names its variable. */
export function readSettings(environment: Environment): ServerSettings {
  const origins = listOf(environment['DRAGOMAN_CORS'])
  return {
    host: environment['HOST'] ?? '127.0.0.1',
    port: numberOf(environment, 'PORT', 8080, 65_535),
    dataFolder: resolve(environment['DRAGOMAN_DATA'] ?? 'data'),
    keys: listOf(environment['DRAGOMAN_KEYS']),
    origins: origins.includes('*') ? '*' : origins,
    unsupportedFields: wordOf(environment, 'DRAGOMAN_UNSUPPORTED_FIELDS', UNSUPPORTED_FIELDS, 'refuse'),
    logLevel: wordOf(environment, 'DRAGOMAN_LOG', LOG_LEVELS, 'info'),
    graceMs: numberOf(environment, 'DRAGOMAN_GRACE_SECONDS', 30, 3600) * 1000,
  }
}

function numberOf(environment: Environment, name: string, byDefault: number, most: number): number {
  const text = environment[name]
  if (text === undefined || text === '') return byDefault
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= most) return value
  throw new StartError(`${name} must be a whole number from 0 to ${most}.`)
}

function wordOf<Word extends string>(
  environment: Environment,
  name: string,
  words: readonly Word[],
  byDefault: Word,
): Word {
  const text = environment[name]
  if (text === undefined || text === '') return byDefault
  const word = words.find((known) => known === text)
  if (word === undefined) throw new StartError(`${name} must be one of ${words.join(', ')}.`)
  return word
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
