import { DragomanError } from '@dragoman/core'
import type { Caller, Clock, Keys } from '@dragoman/gateway'
import { storeLost } from '../calls/refusals.ts'
import { callerOf, createTerms, type ConfiguredKey, type Terms } from '../calls/terms.ts'
import type { KeyStore } from '../store/store.ts'
import type { StoredKey } from '../store/stored-key.ts'
import { createKeySync } from './key-sync.ts'
import { createLookups } from './lookups.ts'
import { createOwnKeys } from './own-keys.ts'
import { checkSecret, digestOf } from './secret.ts'
import { tooMany, type WrongKeys } from './wrong-keys.ts'

/** Keys in front of the store: those that were used, as they were at most five seconds ago. */
export interface KeyCache extends Keys {
  termsOf(caller: Caller): Terms
}

export interface KeyCacheOptions {
  readonly store: KeyStore
  readonly clock: Clock
  readonly schedule: (run: () => void) => void
  /** The keys of the configuration. They are looked up first. */
  readonly keys: Keys | undefined
  readonly configured: (id: string) => ConfiguredKey | undefined
  readonly wrong: WrongKeys
  readonly isServing: boolean
  readonly onChanged: (key: string) => void
  readonly onFailed: (thrown: unknown) => void
}

interface Account {
  key: StoredKey
  caller: Caller
}

/** A secret that was used. It stays known if its key is not valid any more, which may change again. */
interface Known {
  readonly digest: string
  readonly account: Account
}

const MOST_UNKNOWN = 1000

export function createKeyCache(options: KeyCacheOptions): KeyCache {
  const { store, clock, schedule, keys, configured, wrong, isServing, onChanged, onFailed } = options
  const accounts = new Map<string, Account>()
  const secrets = new Map<string, Known>()
  const own = createOwnKeys(keys)
  const lookups = createLookups()
  /** Secrets that belong to no key. A new key makes all of them uncertain. */
  const unknown = new Set<string>()
  const terms = new WeakMap<Caller, Terms>()
  const take = (key: StoredKey): Account => {
    const known = accounts.get(key.id)
    if (known !== undefined && known.key.revision >= key.revision) return known
    const account = known ?? { key, caller: callerOf(key) }
    account.key = key
    account.caller = callerOf(key)
    terms.set(account.caller, createTerms(key.id, key))
    accounts.set(key.id, account)
    return account
  }
  const sync = createKeySync(store, clock, schedule, onFailed, (changed) => {
    if (changed.length > 0) unknown.clear()
    for (const key of changed) {
      if (!accounts.has(key.id)) continue
      take(key)
      onChanged(key.id)
    }
  })
  const search = async (
    secret: string,
    address: string | undefined,
    hasStore: boolean,
  ): Promise<Caller | undefined> => {
    // This runs before anything is compared: the answer would show whether a guess is right.
    if (wrong.isFull(address)) throw tooMany()
    const found = await own.find(secret, address)
    if (found !== undefined) return found
    const form = checkSecret(secret)
    if (form === 'mistyped') throw mistyped()
    if (form === 'other') return undefined
    if (!hasStore) throw storeLost()
    if (unknown.has(secret)) return undefined
    const digest = await digestOf(secret)
    const key = await findStored(store, digest, onFailed)
    if (key === undefined) {
      if (unknown.size >= MOST_UNKNOWN) unknown.clear()
      unknown.add(secret)
      return undefined
    }
    const known = { digest, account: take(key) }
    secrets.set(secret, known)
    return isValid(known, clock.now()) ? known.account.caller : undefined
  }
  const look = (secret: string, address: string | undefined, hasStore: boolean): Promise<Caller | undefined> =>
    lookups.run(address, `${hasStore} ${secret}`, () => search(secret, address, hasStore))
  const findFresh = (secret: string, address: string | undefined): ReturnType<Keys['find']> => {
    const known = secrets.get(secret)
    if (known !== undefined) return isValid(known, clock.now()) ? known.account.caller : undefined
    return own.findUsed(secret, address) ?? look(secret, address, true)
  }
  return {
    find(secret, address) {
      const syncing = sync.refresh()
      if (syncing === undefined) return findFresh(secret, address)
      return syncing.then((isFresh) =>
        isFresh || isServing
          ? findFresh(secret, address)
          : (own.findUsed(secret, address) ?? look(secret, address, false)),
      )
    },
    isInUse: (secret) => secrets.has(secret) || own.isInUse(secret),
    onWrong: (address, count) => wrong.onWrong(address, count),
    termsOf(caller) {
      const known = terms.get(caller)
      if (known !== undefined) return known
      const created = createTerms(caller.id, configured(caller.id) ?? {})
      terms.set(caller, created)
      return created
    },
  }
}

async function findStored(
  store: KeyStore,
  digest: string,
  onFailed: KeyCacheOptions['onFailed'],
): Promise<StoredKey | undefined> {
  try {
    return await store.findKey(digest)
  } catch (thrown) {
    onFailed(thrown)
    throw storeLost()
  }
}

function isValid({ digest, account: { key } }: Known, now: number): boolean {
  if (key.disabled || key.revokedAt !== undefined) return false
  if (key.expiresAt !== undefined && key.expiresAt <= now) return false
  if (key.digest === digest) return true
  return key.previous?.digest === digest && key.previous.until > now
}

function mistyped(): DragomanError {
  const message = 'The API key is not valid: its last characters do not match the others. It was mistyped or cut off.'
  return new DragomanError('authentication', message, { code: 'mistyped_api_key' })
}
