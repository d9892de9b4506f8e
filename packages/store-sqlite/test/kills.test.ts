import { join } from 'node:path'
import { describeKills } from '@dragoman/testkit/kills'
import { openSqliteStore } from '../src/index.ts'
import { createFolder } from './folder.ts'

const folder = createFolder()
let count = 0

describeKills({
  killed: {
    name: 'an SQLite file',
    script: join(import.meta.dirname, 'instance.ts'),
    async open() {
      const address = folder.file(`${++count}.db`)
      return { address, store: openSqliteStore({ file: address }) }
    },
  },
})
