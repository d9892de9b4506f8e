import { describeStore } from '@dragoman/testkit/stores'
import { afterAll, beforeAll } from 'vitest'
import { createFolder } from './folder.ts'
import { startWorkerd, type Workerd } from './workerd.ts'

const folder = createFolder()
let workerd: Workerd
let count = 0
beforeAll(async () => {
  workerd = await startWorkerd(folder.path, 'records')
})
afterAll(() => workerd.stop())

describeStore(
  'in a Durable Object of workerd, with records in D1',
  (clock) => workerd.open(`store-${++count}`, 'ARCHIVED', clock),
  (clock) => workerd.open(`store-${count}`, 'ARCHIVED', clock),
)
