import { describeStore, describeUnstorable } from '@dragoman/testkit/stores'
import { afterAll, beforeAll } from 'vitest'
import { createFolder } from './folder.ts'
import { startWorkerd, type Workerd } from './workerd.ts'

const folder = createFolder()
let workerd: Workerd
let count = 0
beforeAll(async () => {
  workerd = await startWorkerd(folder.path)
})
afterAll(() => workerd.stop())

describeStore(
  'in a Durable Object of workerd',
  (clock) => workerd.open(`store-${++count}`, 'TEST', clock),
  (clock) => workerd.open(`store-${count}`, 'TEST', clock),
)

describeUnstorable('in a Durable Object of workerd', (clock) => workerd.open(`store-${++count}`, 'TEST', clock))
