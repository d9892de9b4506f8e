import type { ChangedKey, NewSecret } from '../keys/manage-keys.ts'
import type { StoredKey } from '../store/stored-key.ts'
import { AdminError, unknownKey } from './admin-error.ts'
import { changedSettings, newSettings, overlapMs } from './key-settings.ts'
import type { AdminAnswer, AdminCall, AdminRoute } from './route.ts'
import { showBalance, showKey, statusOf } from './show.ts'

export const KEY_ROUTES: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/keys',
    policy: 'admin',
    action: 'keys.list',
    async run({ keys, clock, query }) {
      const [owner, status] = [query.get('owner'), query.get('status')]
      const now = clock.now()
      const listed = (await keys.list())
        .filter((key) => owner === null || key.owner === owner)
        .filter((key) => status === null || statusOf(key, now) === status)
      return { status: 200, body: { keys: listed.map((key) => showKey(key, now)) } }
    },
  },
  {
    method: 'POST',
    path: '/keys',
    policy: 'admin',
    action: 'keys.create',
    audits: true,
    run: async (call) => showSecret(201, await call.keys.create(newSettings(call.body), call.actor), call),
  },
  {
    method: 'GET',
    path: '/keys/{id}',
    policy: 'admin',
    action: 'keys.read',
    async run(call) {
      const key = await keyOf(call)
      const balances = await call.store.balances(key.id)
      const body = { key: showKey(key, call.clock.now()), budgets: balances.map((each) => showBalance(each, key)) }
      return { status: 200, body }
    },
  },
  {
    method: 'PATCH',
    path: '/keys/{id}',
    policy: 'admin',
    action: 'keys.change',
    audits: true,
    async run(call) {
      const key = await keyOf(call)
      const changed = await call.keys.change(key.id, changedSettings(key, call.body), call.actor)
      return { status: 200, body: { key: showKey(present(changed, key.id), call.clock.now()) } }
    },
  },
  {
    method: 'POST',
    path: '/keys/{id}/rotate',
    policy: 'admin',
    action: 'keys.rotate',
    audits: true,
    async run(call) {
      const rotated = await call.keys.rotate(call.id, overlapMs(call.body), call.actor)
      return showSecret(200, present(rotated, call.id), call)
    },
  },
  {
    method: 'DELETE',
    path: '/keys/{id}',
    policy: 'admin',
    action: 'keys.revoke',
    audits: true,
    async run(call) {
      const revoked = await call.keys.revoke(call.id, call.actor)
      return { status: 200, body: { key: showKey(present(revoked, call.id), call.clock.now()) } }
    },
  },
]

async function keyOf({ store, id }: AdminCall): Promise<StoredKey> {
  const key = await store.key(id)
  if (key === undefined) throw unknownKey(id)
  return key
}

function present<T extends StoredKey | NewSecret>(changed: T | Extract<ChangedKey, string>, id: string): T {
  if (changed === 'unknown') throw unknownKey(id)
  if (changed === 'revoked') throw new AdminError(409, 'revoked_key', 'This key is revoked, which cannot be undone.')
  return changed
}

function showSecret(status: number, { key, secret }: NewSecret, { clock }: AdminCall): AdminAnswer {
  return { status, body: { key: showKey(key, clock.now()), secret } }
}
