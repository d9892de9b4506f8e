import { ADMIN_BASE, type Store } from '@dragoman/accounts'
import { createAdmin } from '@dragoman/accounts/admin'
import { CommandError, type AdminClient } from './command.ts'

/** Calls the admin API in this process, over a store. Works without a server, and needs no key. */
export function createLocalClient(open: () => Promise<Store>, now: () => number): AdminClient {
  const keys = { find: () => ({ id: 'terminal', admin: true }) }
  return async (method, path, body) => {
    const failures: unknown[] = []
    const admin = createAdmin({ store: await open(), keys, clock: { now }, onError: (error) => failures.push(error) })
    const answer = await admin(new Request(`http://terminal${ADMIN_BASE}${path}`, initOf(method, body, 'terminal')))
    // Callers of the API must not see why the store fails; a user of this command has the file and may.
    if (failures.length > 0) throw failures[0]
    return read(answer, 'The store')
  }
}

/** Calls the admin API of a running gateway: a server or a worker. */
export function createRemoteClient(url: string, key: string | undefined): AdminClient {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol) || base.username !== '' || base.password !== '')
    throw new CommandError('--url must be the address of a gateway, such as https://gateway.example.')
  if (key === undefined || key === '') throw new CommandError('Set DRAGOMAN_ADMIN_KEY to an admin key of that gateway.')
  return async (method, path, body) => {
    const target = base.href.replace(/\/$/, '') + ADMIN_BASE + path
    try {
      // The key must not be sent to the target of a redirection.
      const answer = await fetch(target, { ...initOf(method, body, key), redirect: 'error' })
      return await read(answer, base.origin)
    } catch (error) {
      if (error instanceof CommandError) throw error
      throw new CommandError(`${base.origin} does not answer: ${reasonOf(error)}.`)
    }
  }
}

function initOf(method: string, body: object | undefined, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
}

async function read(answer: Response, who: string): Promise<unknown> {
  const text = await answer.text()
  const body = parse(text)
  if (answer.ok && body !== undefined) return body
  const { error } = (body ?? {}) as { error?: { message?: unknown } } // the form of errors of this API
  const message = typeof error?.message === 'string' ? error.message : `${who} has no admin API at this address.`
  throw new CommandError(message.split('\n', 1)[0] ?? '')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Errors of fetch have their reason in their cause. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined }
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : 'the connection failed'
}
