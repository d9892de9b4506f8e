import type { RequestListener } from 'node:http'
import type { AdminOptions } from '@dragoman/accounts/admin'
import { protocols } from '@dragoman/core/protocols'
import type { AddressOf } from './client-address.ts'
import { GENERATION } from './server-routes.ts'
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
    generation: createWebListener(async () => (await load()).createGenerations({ ...options, writeError }), addressOf),
  }
}

/** Errors are those of the protocol that has the base of the path. */
const writeError: Parameters<typeof import('@dragoman/accounts/admin').createGenerations>[0]['writeError'] = (
  error,
) => {
  const protocol = protocols.find(({ http }) => GENERATION.startsWith(`${http.base}/`))
  return protocol?.error.encode(error, '') ?? { status: 500, body: {} }
}
