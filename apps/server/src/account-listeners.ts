import type { RequestListener } from 'node:http'
import type { AdminOptions } from '@dragoman/accounts/admin'
import type { AddressOf } from './client-address.ts'
import { createWebListener } from './web-listener.ts'

/** What callers and administrators can ask about keys and usage. */
export interface AccountListeners {
  readonly admin: RequestListener
  readonly generation: RequestListener
}

export function createAccountListeners(options: AdminOptions, addressOf: AddressOf): AccountListeners {
  const load = () => import('@dragoman/accounts/admin')
  return {
    admin: createWebListener(async () => (await load()).createAdmin(options), addressOf),
    generation: createWebListener(async () => (await load()).createGenerations(options), addressOf),
  }
}
