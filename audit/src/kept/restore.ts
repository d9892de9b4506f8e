import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { PostgresConnection } from '@dragoman/testkit/engines'
import { Client } from 'pg'
import type { Expected } from './expected.ts'

export const KEPT = join(import.meta.dirname, '../../kept')

/** The folders of the kept versions. */
export function keptVersions(): readonly string[] {
  return readdirSync(KEPT, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
}

export function expectedOf(version: string, kind: string): Expected {
  return JSON.parse(readFileSync(join(KEPT, version, kind, 'expected.json'), 'utf8')) as Expected // written by `keepVersion`
}

/** Writes the kept files to a folder as they were. */
export function restoreFiles(version: string, kind: string, folder: string): void {
  const from = join(KEPT, version, kind, 'files')
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    const copy = join(folder, relative(from, file)).replace(/\.br$/, '')
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes)
    // Git does not know who may read a file.
    chmodSync(copy, 0o600)
  }
}

/** Makes the tables with their rows in an empty database. */
export async function restorePostgres(version: string, connection: PostgresConnection): Promise<void> {
  const sql = brotliDecompressSync(readFileSync(join(KEPT, version, 'postgres/dump.sql.br'))).toString()
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
