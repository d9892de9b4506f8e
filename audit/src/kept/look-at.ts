import type { Admin } from '../server/admin.ts'

type Shown = { readonly [member: string]: unknown }

/** Everything that the admin API shows of a store, in the words of the API. */
export interface Look {
  readonly keys: readonly Shown[]
  readonly records: readonly Shown[]
  readonly usage: readonly Shown[]
  readonly balances: { readonly [key: string]: readonly Shown[] }
  readonly audit: readonly { readonly id: string; readonly action: string; readonly target: string }[]
}

/** Reading is in the audit log too: a comparison adds entries. */
const CHANGES = /^keys\.(create|change|rotate|revoke)$/
const ALWAYS = 'from=2000-01-01&to=2100-01-01'

export async function lookAt(admin: Admin): Promise<Look> {
  const list = async <T>(path: string, member: string): Promise<readonly T[]> => {
    const { status, body } = await admin.ask('GET', path)
    if (status !== 200) throw new Error(`GET ${path} got ${status}: ${JSON.stringify(body)}`)
    return body[member] as readonly T[] // as documented in docs/admin.md
  }
  const keys = await list<Shown>('/keys', 'keys')
  const balances: { [key: string]: readonly Shown[] } = {}
  for (const { id } of keys) {
    const held = await list<Shown>(`/keys/${String(id)}`, 'budgets')
    // What instances hold changes all the time.
    if (held.length > 0) balances[String(id)] = held.map(({ reserved: _, ...balance }) => balance)
  }
  return {
    // Whether an old secret is still valid depends on the time.
    keys: keys.map(({ previousSecretUntil: _, ...key }) => key),
    records: await list('/records?limit=1000', 'records'),
    usage: await list(`/usage?by=key,owner,model,provider&${ALWAYS}`, 'rows'),
    balances,
    audit: (await list<Look['audit'][number]>('/audit?limit=1000', 'entries'))
      .filter(({ action }) => CHANGES.test(action))
      .map(({ id, action, target }) => ({ id, action, target }))
      .toReversed(),
  }
}
