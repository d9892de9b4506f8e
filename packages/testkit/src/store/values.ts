import {
  NO_TOKENS,
  periodAt,
  type AuditEntry,
  type Batch,
  type CallRecord,
  type HeldSlice,
  type OpenCall,
  type Opening,
  type PeriodStart,
  type Settlement,
  type SliceRequest,
  type Store,
  type StoredKey,
  type UsageQuery,
  type UsageRow,
} from '@dragoman/accounts'
import { START } from './subject.ts'

/** Text that a driver breaks if it builds statements from texts, or counts bytes as characters. */
export const HARD_TEXT = `it's "100%" \\ {$1} ; -- ?1 :a 漢字 🔑 e\u0301 \u202E`

export const TTL_MS = 30_000

/** The id of a call or an entry: its time, and a number. */
export function idAt(at: number, number: number): string {
  return at.toString(16).padStart(12, '0') + number.toString(16).padStart(20, '0')
}

export function storedKey(changes: Partial<StoredKey> = {}): Omit<StoredKey, 'revision'> {
  return {
    id: 'key_1',
    digest: 'd1'.repeat(32),
    hint: 'sk-dragoman-ab',
    name: 'first',
    labels: {},
    scopes: ['inference'],
    limits: {},
    budgets: {},
    createdAt: START,
    disabled: false,
    ...changes,
  }
}

export function auditEntry(number: number, changes: Partial<AuditEntry> = {}): AuditEntry {
  const at = START + number
  return {
    id: idAt(at, number),
    at,
    actor: 'terminal',
    action: 'keys.create',
    target: '',
    address: '',
    detail: {},
    ...changes,
  }
}

export function openCall(number: number, changes: Partial<OpenCall> = {}): OpenCall {
  const at = changes.at ?? START
  return {
    id: idAt(at, number),
    at,
    key: 'key_1',
    owner: 'ann',
    conversation: '00ff00ff00ff00ff',
    operation: 'generate',
    asked: 'smart',
    model: 'acme/one',
    provider: 'acme',
    protocol: 'chat',
    mode: 'relay',
    stream: true,
    estimate: 1000,
    ...changes,
  }
}

export function callRecord({ estimate, ...call }: OpenCall, changes: Partial<CallRecord> = {}): CallRecord {
  return {
    ...call,
    outcome: 'complete',
    status: 200,
    attempts: 1,
    tokens: NO_TOKENS,
    cost: estimate,
    items: [],
    prices: '',
    estimated: false,
    losses: [],
    firstByteMs: 10,
    ms: 20,
    ...changes,
  }
}

export function opening(call: OpenCall, changes: Partial<Omit<Opening, 'call'>> = {}): Opening {
  return { call, budgets: [], limits: {}, tokens: 0, sliceRequests: [], ...changes }
}

export function settlement(call: OpenCall, changes: Partial<Settlement> = {}): Settlement {
  const { id, key } = call
  return { id, key, record: callRecord(call), budgets: [], limits: {}, tokens: 0, ...changes }
}

export function batch(changes: Partial<Batch> = {}): Batch {
  return { instance: 'a', number: 1, ttlMs: TTL_MS, settlements: [], slices: [], openings: [], ...changes }
}

/** The day of the tests. */
export const DAY: PeriodStart = periodAt('day', START)

export function sliceRequest(limit: number, least: number, wanted: number, of: PeriodStart = DAY): SliceRequest {
  return { ...of, limit, least, wanted }
}

export function held(amount: number, of: PeriodStart = DAY, key = 'key_1'): HeldSlice {
  return { ...of, key, amount }
}

/** A call that needs so much of a budget, and gets no more. */
export function budgeted(call: OpenCall, limit: number, least: number): Opening {
  return opening(call, { budgets: [DAY], sliceRequests: [sliceRequest(limit, least, least)] })
}

/** A budget without an end. */
export const TOTAL: PeriodStart = { period: 'total', start: 0 }

/** A call by its number. It is expected to cost 5, and costs 7. */
export function callOf(number: number, at: number = START): OpenCall {
  return openCall(number, { at, estimate: 5 })
}

export function openingOf(number: number): Opening {
  return opening(callOf(number), { budgets: [TOTAL] })
}

export function settlementOf(number: number, at: number = START): Settlement {
  const call = callOf(number, at)
  return settlement(call, { budgets: [TOTAL], record: callRecord(call, { cost: 7 }) })
}

export function numbers(from: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

/** A whole report: all of its pages. */
export async function allUsage(store: Pick<Store, 'usage'>, query: UsageQuery): Promise<readonly UsageRow[]> {
  const rows: UsageRow[] = []
  for (let after = query.after; ;) {
    const page = await store.usage({ ...query, after })
    rows.push(...page.rows)
    if (page.next === undefined) return rows
    after = page.next
  }
}
