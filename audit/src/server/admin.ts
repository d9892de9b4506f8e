import { nanosOf } from '../money/nanos.ts'

/** A record of the server, as its admin API shows it, with its amounts in nano-dollars. */
export interface ServerRecord {
  readonly id: string
  readonly at: string
  readonly key: string
  readonly owner: string
  readonly asked: string
  readonly model: string
  readonly provider: string
  readonly protocol: string
  readonly operation: string
  readonly outcome: string
  readonly status: number
  readonly attempts: number
  readonly stream: boolean
  readonly estimated: boolean
  readonly tokens: { readonly [kind: string]: number }
  readonly nanos: bigint
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly nanos: bigint }[]
}

export interface Balance {
  readonly period: string
  readonly from: string | null
  readonly spent: bigint
  readonly limit: bigint | undefined
}

export interface AdminAnswer {
  readonly status: number
  readonly body: { readonly [member: string]: unknown }
}

/** The admin API of a server. */
export interface Admin {
  ask(method: string, path: string, body?: object): Promise<AdminAnswer>
  createKey(settings: object): Promise<{ readonly id: string; readonly secret: string }>
  /** All records, page by page. */
  records(): Promise<readonly ServerRecord[]>
  balances(key: string): Promise<readonly Balance[]>
  /** The sum of all usage, of one key if it is given. */
  usage(filter?: string): Promise<{ readonly calls: number; readonly nanos: bigint }>
}

const PAGE = 1000
/** Long before and after everything. */
const ALWAYS = 'from=2000-01-01&to=2100-01-01'

export function createAdmin(url: string, secret: () => string): Admin {
  const ask = async (method: string, path: string, body?: object): Promise<AdminAnswer> => {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${secret()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as AdminAnswer['body'] } // an object, always
  }
  const expectOk = async <T extends object>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await ask(method, path, body)
    if (answer.status < 300) return answer.body as T // as documented in docs/admin.md
    throw new Error(`${method} ${path} got ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  return {
    ask,
    async createKey(settings) {
      const { secret: made, key } = await expectOk<Made>('POST', '/keys', settings)
      return { id: key.id, secret: made }
    },
    async records() {
      const all: ServerRecord[] = []
      for (;;) {
        const after = all.at(-1)?.id
        const path = `/records?limit=${PAGE}${after === undefined ? '' : `&after=${after}`}`
        const { records } = await expectOk<{ records: readonly ShownRecord[] }>('GET', path)
        all.push(...records.map(readRecord))
        if (records.length < PAGE) return all
      }
    },
    async balances(key) {
      const { budgets } = await expectOk<{ budgets: readonly ShownBalance[] }>('GET', `/keys/${key}`)
      return budgets.map(({ spent, limit, ...rest }) => ({
        ...rest,
        spent: nanosOf(spent),
        limit: limit === null ? undefined : nanosOf(limit),
      }))
    },
    async usage(filter = '') {
      const { rows } = await expectOk<{ rows: readonly ShownSum[] }>('GET', `/usage?by=&${ALWAYS}${filter}`)
      return rows.reduce((sum, { calls, cost }) => ({ calls: sum.calls + calls, nanos: sum.nanos + nanosOf(cost) }), {
        calls: 0,
        nanos: 0n,
      })
    },
  }
}

interface Made {
  readonly secret: string
  readonly key: { readonly id: string }
}

type ShownRecord = Omit<ServerRecord, 'nanos' | 'items'> & {
  readonly cost: string
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly cost: string }[]
}

type ShownBalance = Omit<Balance, 'spent' | 'limit'> & { readonly spent: string; readonly limit: string | null }

interface ShownSum {
  readonly calls: number
  readonly cost: string
}

function readRecord({ cost, items, ...record }: ShownRecord): ServerRecord {
  return {
    ...record,
    nanos: nanosOf(cost),
    items: items.map(({ cost: amount, ...item }) => ({ ...item, nanos: nanosOf(amount) })),
  }
}
