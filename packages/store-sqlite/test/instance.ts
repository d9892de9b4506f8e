import { runInstance } from '@dragoman/testkit/instance'
import { openSqliteStore } from '../src/index.ts'

await runInstance((file) => openSqliteStore({ file }))
