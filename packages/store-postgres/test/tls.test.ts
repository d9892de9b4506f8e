import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgresStore } from '../src/index.ts'
import { useDatabase } from './engine.ts'
import { openTlsEntrance, type TlsEntrance } from './tls.ts'

const SECRET = 'hunter2-secret'
const database = useDatabase('tls')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-tls-'))
const file = join(folder, 'ca.crt')
let entrance: TlsEntrance

beforeAll(async () => {
  entrance = await openTlsEntrance(database)
  writeFileSync(file, entrance.authority)
})
afterAll(() => {
  entrance.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (host: string, query: string) =>
  openPostgresStore({ connection: `postgres://dragoman:${SECRET}@${host}:${entrance.port}/tls?sslmode=${query}` })

const failureOf = async (host: string, query: string): Promise<Error> => {
  const error: unknown = await open(host, query).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(SECRET)
  return error as Error // expected above
}

it('opens a store with the authority that the URL names', async () => {
  const store = await open('localhost', `verify-full&sslrootcert=${file}`)
  expect(await store.buryLost()).toBe(0)
  await store.close()
})

it('refuses a certificate that is not trusted, and says what to set', async () => {
  for (const mode of ['require', 'verify-full']) {
    const { message } = await failureOf('localhost', mode)
    expect(message).toMatch(/^PostgreSQL: the certificate of the server is not trusted \([A-Z_]+\)\./)
    expect(message).toMatch(/sslmode=verify-full&sslrootcert=\/path\/to\/ca\.crt$/)
  }
})

it('refuses a certificate of another host', async () => {
  const { message } = await failureOf('127.0.0.1', `verify-full&sslrootcert=${file}`)
  expect(message).toMatch(/^PostgreSQL: the certificate of the server is for another host\./)
})

it('names a file of an authority that does not exist', async () => {
  const { message } = await failureOf('localhost', `verify-full&sslrootcert=${join(folder, 'none.crt')}`)
  expect(message).toMatch(/^PostgreSQL: .*no such file.*none\.crt/)
})
