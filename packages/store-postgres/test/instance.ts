import { runInstance } from '@dragoman/testkit/instance'
import { openPostgresStore, type PostgresStoreOptions } from '../src/index.ts'

await runInstance((place) => openPostgresStore(JSON.parse(place) as PostgresStoreOptions)) // from kills.test.ts
