import { runInstance } from '@dragoman/testkit/instance'
import { openPostgresStore, type PostgresStoreOptions } from '../src/index.ts'

await runInstance((address) => openPostgresStore(JSON.parse(address) as PostgresStoreOptions)) // from kills.test.ts
