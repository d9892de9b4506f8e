import { describeStore } from '@dragoman/testkit/stores'
import { openStore } from './open-store.ts'

let count = 0

describeStore(
  'in a Durable Object of workerd, with records in D1',
  (clock) => openStore(`archive-${++count}`, 'ARCHIVED', { clock }),
  (clock) => openStore(`archive-${count}`, 'ARCHIVED', { clock }),
  { programs: 1 / 20 },
)
