import { createMemoryStore } from '@dragoman/accounts'
import { describeStore } from './store/describe-store.ts'

describeStore('in memory', (clock) => createMemoryStore({ clock }))
