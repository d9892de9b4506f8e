import type { DragomanError, ErrorKind, Loss, LossCode, Usage } from '@dragoman/core'
import type { RoutePolicy } from './policy.ts'
import type { Cost, Failure, Clock } from '@dragoman/core/provider'

/** The owner of a key. */
export interface Caller {
  readonly id: string
  /** Whose operations it may ask for: those of all keys with the same owner. By default those of its id. */
  readonly owner?: string | undefined
  /** The models it may use: ids, or prefixes with a star, `anthropic/*`; by default all. */
  readonly models?: readonly string[] | undefined
  /** The providers it may use; by default all. */
  readonly providers?: readonly string[] | undefined
  /** How its routes are chosen, unless a call or an alias says otherwise. */
  readonly routing?: RoutePolicy | undefined
  /** Whether explanations show it the routes of all models, beyond those that it may use. */
  readonly explainsAll?: boolean | undefined
  /** Whether it may use the admin API, which is not part of the gateway. */
  readonly admin?: boolean | undefined
  /** False for a key that may not call models: it is for something else, such as administration. */
  readonly inference?: boolean | undefined
}

/** The store of callers' keys. It must take the same time for every wrong secret. */
export interface Keys {
  /** `address` is the network address of the caller. A rejection refuses the call, unless another secret of it is valid. */
  find(secret: string, address?: string): Caller | undefined | Promise<Caller | undefined>
  /** Whether a secret was found before. Of several secrets of a call, these are tried first. */
  isInUse?(secret: string): boolean
  /** Runs for a call that has only wrong secrets, with their number, before it is refused. It may wait, or reject with another error. */
  onWrong?(address: string | undefined, secrets: number): void | Promise<void>
}

export type Outcome =
  | 'complete'
  /** Answered with an error. */
  | 'failed'
  /** The answer was interrupted after it had begun. */
  | 'interrupted'
  /** The client left. */
  | 'aborted'

/** The record of a call to an upstream, written once when the call is over. */
export interface UsageRecord {
  readonly requestId: string
  /** `generate`, `count`, … */
  readonly operation: string
  readonly caller: string
  /** The owner of the caller. */
  readonly owner?: string | undefined
  /** 16 hexadecimal digits that calls of one conversation have in common; empty if that is unknown. */
  readonly conversation: string
  readonly protocol: string
  /** The model as the caller wrote it. */
  readonly asked: string
  readonly provider: string
  /** The routed id: `<provider>/<name>`. */
  readonly model: string
  readonly mode: 'relay' | 'translate'
  readonly stream: boolean
  readonly outcome: Outcome
  /** The status of the answer; 499 if the client left. */
  readonly status: number
  /** The number of calls to upstreams. */
  readonly attempts: number
  /** The codes of all losses, each once: `dropped-setting`. */
  readonly losses: readonly LossCode[]
  /** With `estimated`, counts that the upstream did not report are estimates. Absent if the upstream did not answer. */
  readonly usage?: Usage | undefined
  /** Absent without usage, and for a model without prices. */
  readonly cost?: Cost | undefined
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly firstByteMs?: number | undefined
  readonly ms: number
}

export interface Ledger {
  onUsage(record: UsageRecord): void
}

/** One call to an upstream, when it is over. */
export interface Attempt {
  readonly provider: string
  /** The routed id: `<provider>/<name>`. */
  readonly model: string
  /** The name of the upstream's protocol. */
  readonly protocol: string
  /** Scheme, host and port of the upstream. */
  readonly origin: string
  readonly stream: boolean
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly ms: number
  /** Until the first byte of the upstream's body. */
  readonly firstByteMs?: number | undefined
  /** The upstream's status; absent without an answer. */
  readonly status?: number | undefined
  /** Set if the upstream could not be reached or its connection broke. */
  readonly failure?: Failure['kind'] | undefined
  readonly outcome: Outcome
  readonly error?: ErrorKind | undefined
  /** The message of the upstream's error, without the provider's secrets. */
  readonly upstreamMessage?: string | undefined
  /** What the upstream has reported. */
  readonly usage?: Usage | undefined
}

/** One answer of the gateway. Contains no prompt, key or query. */
export interface LogEntry {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly protocol: string
  readonly status: number
  readonly outcome: Outcome
  readonly ms: number
  /** Until the first byte of the answer; absent for errors of the gateway itself. */
  readonly firstByteMs?: number | undefined
  readonly caller?: string | undefined
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly mode?: 'relay' | 'translate' | undefined
  /** Why it was translated. */
  readonly because?: string | undefined
  /** The calls to upstreams, in order; the last one is the answer's. */
  readonly attempts: readonly Attempt[]
  readonly losses: readonly Loss[]
  readonly usage?: Usage | undefined
  readonly cost?: Cost | undefined
  readonly error?: DragomanError | undefined
}

export interface Log {
  write(entry: LogEntry): void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** 32 hex digits, new on every call. */
export function randomId(): string {
  const id = crypto.randomUUID()
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24)
}

/** 32 hex digits: the time in milliseconds, then 80 random bits. Ids of later milliseconds are greater. */
export function timedId(now: number): string {
  return hexTime(now) + randomBits()
}

/** Creates such ids for calls: many of them begin in the same millisecond, whose text is written once. */
export function createTimedIds(): (now: number) => string {
  let latest: number | undefined
  let text = ''
  return (now) => {
    if (now !== latest) {
      latest = now
      text = hexTime(now)
    }
    return text + randomBits()
  }
}

function hexTime(now: number): string {
  return Math.floor(now).toString(16).padStart(12, '0')
}

function randomBits(): string {
  const id = crypto.randomUUID()
  return id.slice(0, 8) + id.slice(24)
}

/** Keeps the latest log entries in memory. */
export function createMemoryLog(limit = 1000): Log & { readonly entries: readonly LogEntry[] } {
  const entries: LogEntry[] = []
  return { entries, write: (entry) => keepLatest(entries, entry, limit) }
}

/** Keeps the latest usage records in memory. */
export function createMemoryLedger(limit = 1000): Ledger & { readonly records: readonly UsageRecord[] } {
  const records: UsageRecord[] = []
  return { records, onUsage: (record) => keepLatest(records, record, limit) }
}

function keepLatest<T>(list: T[], item: T, limit: number): void {
  list.push(item)
  // Trimmed in larger steps, so that a full list is not moved on every write.
  if (list.length >= limit * 2) list.splice(0, list.length - limit)
}
