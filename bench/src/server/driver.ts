import type { Shot } from './shot.ts'

/** What to send, and where. */
export interface Order {
  readonly shot: Shot
  readonly connections: number
  /** Full load before anything is counted. */
  readonly leadMs: number
  readonly windowMs: number
  /** The process whose CPU time is measured. */
  readonly pid: number
  /** Called when the window begins. */
  readonly onBegin: () => void
}

/** The results of one window. Times are in microseconds. */
export interface Counted {
  readonly count: number
  readonly micros: number
  /** CPU time of the process under test. */
  readonly cpuMicros: number
  /** From the request to the end of its response, or from sending a token to its arrival. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** The load generator and the upstream, on both sides of the processes under test. */
export interface Driver {
  readonly upstreamPort: number
  /** A description for the head of the output. */
  readonly description: string
  /** Whole responses, as many as possible. */
  readonly calls: (order: Order) => Promise<Counted>
  /** Streams at their own pace; undefined if the load generator cannot read them. */
  readonly streams: ((order: Order) => Promise<Counted>) | undefined
  stop(): void
}
