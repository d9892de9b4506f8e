import type { Clock } from '@dragoman/gateway'
import type { Actor, KeyManager } from '../keys/manage-keys.ts'
import type { Store } from '../store/store.ts'

/** One entry of the table of admin calls. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `{id}` is any one segment. */
  readonly path: string
  /** Who may call it. Every route says so. */
  readonly policy: 'admin'
  /** Its name in the audit log. */
  readonly action: string
  /** Whether `run` writes to the audit log itself, together with the change. */
  readonly audits?: true
  run(this: void, call: AdminCall): Promise<AdminAnswer>
}

export interface AdminCall {
  readonly store: Store
  readonly keys: KeyManager
  readonly clock: Pick<Clock, 'now'>
  readonly actor: Actor
  /** The segment in place of `{id}`; empty if there is none. */
  readonly id: string
  readonly query: URLSearchParams
  /** The parsed body; undefined if there is none. */
  readonly body: unknown
}

export interface AdminAnswer {
  readonly status: number
  /** JSON, or a text or a stream with its type. */
  readonly body: unknown
  readonly type?: string | undefined
  /** Seconds. */
  readonly retryAfter?: number | undefined
}
