import { isAbsolute, join } from 'node:path'
import { listOf, type Environment } from '@dragoman/core/provider'
import { STORES, type ON_STORE_LOSS, type StoreKind } from './config/choices.ts'
import type { Config } from './config/schema.ts'
import { choiceOf, refuse, type Wrong } from './settings.ts'
import { VARIABLES } from './variables.ts'

/** Where keys, budgets and usage are, and how long they are kept. */
export interface AccountSettings {
  readonly store: StoreKind
  /** Of SQLite. */
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
  if (store === 'postgres' && postgres === undefined)
    wrong(`The store is postgres, but its URL is missing: set ${VARIABLES.databaseUrl} or accounts.postgres.`)
  if (redis !== undefined && store !== 'postgres')
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

/** The proxies whose `x-forwarded-for` is believed. */
export function trustedProxies(environment: Environment, { server }: Config): readonly string[] {
  const given = listOf(environment[VARIABLES.trustedProxies])
  return given.length > 0 ? given : (server?.trustedProxies ?? [])
}
