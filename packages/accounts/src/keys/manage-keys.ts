import { timedId, type Clock } from '@dragoman/gateway'
import type { AuditEntry, KeyStore } from '../store/store.ts'
import type { StoredKey } from '../store/stored-key.ts'
import { createSecret, digestOf, hintOf, randomText } from './secret.ts'

/** What an operator decides about a key. */
export type KeySettings = Omit<
  StoredKey,
  'id' | 'digest' | 'hint' | 'previous' | 'createdAt' | 'revokedAt' | 'revision'
>

/** Who changes something, for the audit log. */
export interface Actor {
  /** The id of its key, or `terminal`. */
  readonly id: string
  /** Empty if unknown. */
  readonly address: string
}

/** A key with its secret, which is never shown again. */
export interface NewSecret {
  readonly key: StoredKey
  readonly secret: string
}

/** Creates and changes keys. Each change is in the audit log, without the secret. */
export interface KeyManager {
  create(settings: KeySettings, actor: Actor): Promise<NewSecret>
  /** The first key of a store; undefined if it has keys. Of several instances that start at once, one gets it. */
  createFirst(settings: KeySettings, actor: Actor): Promise<NewSecret | undefined>
  list(): Promise<readonly StoredKey[]>
  change(id: string, changes: Partial<KeySettings>, actor: Actor): Promise<ChangedKey>
  /** A new secret. The old one stays valid for a while, so that it can be replaced without a pause. */
  rotate(id: string, overlapMs: number, actor: Actor): Promise<NewSecret | 'unknown' | 'revoked'>
  /** Ends a key for good, at once with its previous secret. */
  revoke(id: string, actor: Actor): Promise<ChangedKey>
}

/** A revoked key stays as it is. */
export type ChangedKey = StoredKey | 'unknown' | 'revoked'

/** Its id is always the same, so that a store cannot get two of them. */
const FIRST = 'key_first'
const PAGE = 500
/** Others may change the same key at the same time, but not forever. */
const ATTEMPTS = 10

export function createKeyManager(store: KeyStore, clock: Pick<Clock, 'now'> = Date): KeyManager {
  const entryOf = (actor: Actor, action: string, target: string, detail: AuditEntry['detail']): AuditEntry => {
    const at = clock.now()
    return { id: timedId(at), at, actor: actor.id, action, target, address: actor.address, detail }
  }
  const list = async (): Promise<readonly StoredKey[]> => {
    const keys: StoredKey[] = []
    for (;;) {
      const page = await store.keysSince(keys.at(-1)?.revision ?? 0, PAGE)
      keys.push(...page)
      if (page.length < PAGE) return latest(keys)
    }
  }
  const add = async (id: string, settings: KeySettings, actor: Actor): Promise<NewSecret | undefined> => {
    const secret = createSecret()
    const digest = await digestOf(secret)
    const key = { ...settings, id, digest, hint: hintOf(secret), createdAt: clock.now() }
    const saved = await store.saveKey(key, 0, entryOf(actor, 'keys.create', id, { ...settings }))
    return saved === undefined ? undefined : { key: saved, secret }
  }
  const save = async (
    id: string,
    change: (key: StoredKey) => Omit<StoredKey, 'revision'>,
    audit: (after: Omit<StoredKey, 'revision'>) => AuditEntry,
  ): Promise<ChangedKey> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const key = await store.key(id)
      if (key === undefined) return 'unknown'
      if (key.revokedAt !== undefined) return 'revoked'
      const after = change(key)
      const saved = await store.saveKey(after, key.revision, audit(after))
      if (saved !== undefined) return saved
    }
    throw new Error(`The key ${id} is changed by others all the time.`)
  }
  return {
    list,
    async create(settings, actor) {
      const created = await add(`key_${randomText(16)}`, settings, actor)
      if (created === undefined) throw new Error('A new key has the id of another one.')
      return created
    },
    async createFirst(settings, actor) {
      const known = await store.keysSince(0, 1)
      return known.length > 0 ? undefined : add(FIRST, settings, actor)
    },
    change: (id, changes, actor) =>
      save(
        id,
        (key) => ({ ...key, ...changes }),
        () => entryOf(actor, 'keys.change', id, { ...changes }),
      ),
    async rotate(id, overlapMs, actor) {
      const secret = createSecret()
      const digest = await digestOf(secret)
      const saved = await save(
        id,
        (key) => ({
          ...key,
          digest,
          hint: hintOf(secret),
          previous: overlapMs > 0 ? { digest: key.digest, until: clock.now() + overlapMs } : undefined,
        }),
        () => entryOf(actor, 'keys.rotate', id, { overlapMs }),
      )
      return typeof saved === 'string' ? saved : { key: saved, secret }
    },
    revoke: (id, actor) =>
      save(
        id,
        (key) => ({ ...key, previous: undefined, revokedAt: clock.now() }),
        () => entryOf(actor, 'keys.revoke', id, {}),
      ),
  }
}

/** A key that was changed while the pages were read is on two of them. */
function latest(keys: readonly StoredKey[]): readonly StoredKey[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()]
}
