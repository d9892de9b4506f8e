import type { Shot } from './shot.ts'

/** What to send, and to whom. */
export interface Order {
  readonly shot: Shot
  readonly connections: number
  /** Full load before anything is counted. */
  readonly leadMs: number
  readonly windowMs: number
  /** The process whose CPU time is taken. */
  readonly pid: number
  /** Called when the window begins. */
  readonly onBegin: () => void
}

/** What came in a window of time. Times in microseconds. */
export interface Counted {
  readonly count: number
  readonly micros: number
  /** Of the process under test. */
  readonly cpuMicros: number
  /** From the request to the end of its answer, or from the sending of a token to its arrival. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Load and upstream: what stands on both sides of the processes under test. */
export interface Driver {
  readonly upstreamPort: number
  /** In words, for the head of the output. */
  readonly description: string
  /** Whole answers, as many as there is time for. */
  readonly calls: (order: Order) => Promise<Counted>
  /** Streams that run at their own pace; undefined where the load cannot read them. */
  readonly streams: ((order: Order) => Promise<Counted>) | undefined
  stop(): void
}
