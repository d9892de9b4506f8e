import { describeStore, describeUnstorable } from '@dragoman/testkit/stores'
import { openStore } from './open-store.ts'

let count = 0

describeStore(
  'in a Durable Object of workerd',
  (clock) => openStore(`store-${++count}`, 'TEST', { clock }),
  (clock) => openStore(`store-${count}`, 'TEST', { clock }),
  // The statements are those of SQLite, which runs more of them.
  { programs: 1 / 20 },
)

describeUnstorable('in a Durable Object of workerd', (clock) => openStore(`store-${++count}`, 'TEST', { clock }))
