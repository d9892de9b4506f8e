import { isAbsolute, join } from 'node:path'
import { listOf, type Environment } from '@dragoman/core/provider'
import { STORES, type ON_STORE_LOSS, type StoreKind } from './config/choices.ts'
import type { Config } from './config/schema.ts'
import { choiceOf, refuse, type Wrong } from './settings.ts'
import { VARIABLES } from './variables.ts'

/** A store that comes in a package. */
export interface StorePackage {
  /** The name of an installed package, or a file. */
  readonly package: string
  /** Only the package knows them. They can contain passwords. */
  readonly options?: { readonly [name: string]: unknown } | undefined
}

/** Where keys, budgets and usage are, and how long they are kept. */
export interface AccountSettings {
  readonly store: StoreKind | StorePackage
  /** The file of SQLite. */
  readonly file: string
  /** URLs contain passwords. */
  readonly postgres?: string | undefined
  readonly schema?: string | undefined
  readonly redis?: string | undefined
  readonly onLoss: (typeof ON_STORE_LOSS)[number]
  /** In milliseconds. */
  readonly keepMs: { readonly records: number; readonly hours: number; readonly audit: number }
}

const DAY_MS = 86_400_000

/** Only a store without a package can have these members. */
const UNPACKAGED = ['file', 'postgres', 'schema', 'redis'] as const

/** Whether a store is outside this process: instances can share it, and its answers can be lost. */
export function isOutside({ store }: Pick<AccountSettings, 'store'>): boolean {
  return store !== 'sqlite' && store !== 'memory'
}

/** The settings of accounts. A variable takes precedence over the file. */
export function readAccountSettings(
  environment: Environment,
  { accounts = {} }: Config,
  dataFolder: string,
  wrong: Wrong = refuse,
): AccountSettings {
  const { file = 'dragoman.db', schema, onLoss = 'refuse', keep = {} } = accounts
  const postgres = environment[VARIABLES.databaseUrl] || accounts.postgres
  const redis = environment[VARIABLES.redisUrl] || accounts.redis
  const byDefault = accounts.store ?? (postgres === undefined ? 'sqlite' : 'postgres')
  const store = choiceOf(environment, VARIABLES.store, STORES, byDefault, wrong)
  if (typeof store === 'object')
    for (const member of UNPACKAGED)
      if (accounts[member] !== undefined)
        wrong(`accounts.${member} is not for a store that comes in a package: use accounts.store.options.`)
  if (store === 'postgres' && postgres === undefined)
    wrong(`The store is postgres, but its URL is missing: set ${VARIABLES.databaseUrl} or accounts.postgres.`)
  if (redis !== undefined && typeof store === 'string' && store !== 'postgres')
    wrong('Redis is used beside PostgreSQL only: set its URL too, or leave Redis out.')
  return {
    store,
    file: isAbsolute(file) ? file : join(dataFolder, file),
    postgres,
    schema,
    redis,
    onLoss,
    keepMs: {
      records: (keep.records ?? 90) * DAY_MS,
      hours: (keep.hours ?? 800) * DAY_MS,
      audit: (keep.audit ?? 800) * DAY_MS,
    },
  }
}

/** The proxies whose `x-forwarded-for` is trusted. */
export function trustedProxies(environment: Environment, { server }: Config): readonly string[] {
  const given = listOf(environment[VARIABLES.trustedProxies])
  return given.length > 0 ? given : (server?.trustedProxies ?? [])
}
