import { describeStore, describeUnstorable } from '@dragoman/testkit/stores'
import { openSqliteStore } from '../src/index.ts'
import { createFolder } from './folder.ts'

const folder = createFolder()
let count = 0
const fileOf = (number: number): string => folder.file(`${number}.db`)

describeStore(
  'in an SQLite file',
  (clock) => openSqliteStore({ file: fileOf(++count), clock }),
  (clock) => openSqliteStore({ file: fileOf(count), clock }),
)

describeUnstorable('in an SQLite file', (clock) => openSqliteStore({ file: fileOf(++count), clock }))
