/** What this package uses of Cloudflare Workers. The platform's own types fit, in every version. */

/** The state of a Durable Object, the first argument of its constructor. */
export interface ObjectState {
  readonly id: { toString(): string }
  readonly storage: ObjectStorage
}

export interface ObjectStorage {
  readonly sql: {
    exec(statement: string, ...values: readonly (string | number | ArrayBuffer | Uint8Array | null)[]): ObjectCursor
  }
  transactionSync<T>(run: () => T): T
  /** Unix milliseconds; null if no alarm is set. */
  getAlarm(): Promise<number | null>
  setAlarm(at: number): Promise<void>
}

export interface ObjectCursor {
  toArray(): { readonly [column: string]: string | number | ArrayBuffer | null }[]
  readonly rowsWritten: number
}

/** A binding of a class of Durable Objects. */
export interface ObjectNamespace<Id = unknown> {
  idFromName(name: string): Id
  get(id: Id): { fetch(url: string, init: ObjectRequest): Promise<ObjectResponse> }
}

export interface ObjectRequest {
  readonly method: string
  readonly body: string
}

export interface ObjectResponse {
  readonly status: number
  text(): Promise<string>
}

/** `waitUntil` of the module `cloudflare:workers`: the platform waits for the promise before it ends the current request. */
export type WaitUntil = (promise: Promise<unknown>) => void
