import { startPostgres } from '@dragoman/testkit/engines'
import { Pool, type PoolConfig } from 'pg'
import { beforeAll, inject } from 'vitest'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    readonly postgres: PoolConfig
  }
}

/** Vitest runs this before all files of the package: they share one PostgreSQL, because starting one takes longer than most of them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, stop } = await startPostgres(import.meta.url)
  project.provide('postgres', connection)
  return stop
}

/** An empty database for the tests of a file. It goes with the engine. */
export function useDatabase(name: string): PoolConfig {
  const shared = inject('postgres')
  const connection = { ...shared, database: name }
  beforeAll(() => asAdmin(shared, `create database ${name}`))
  return connection
}

/** Refuses connections to a database and closes all that it has, as if it were down. */
export async function shut({ database }: PoolConfig): Promise<void> {
  const shared = inject('postgres')
  await asAdmin(shared, `alter database ${database} allow_connections false`)
  await asAdmin(shared, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)
}

export async function reopen({ database }: PoolConfig): Promise<void> {
  await asAdmin(inject('postgres'), `alter database ${database} allow_connections true`)
}

async function asAdmin(connection: PoolConfig, text: string): Promise<void> {
  const pool = new Pool({ ...connection, max: 1 })
  try {
    await pool.query(text)
  } finally {
    await pool.end()
  }
}
