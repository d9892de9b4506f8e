import type { CountLimits, Protocol } from '@dragoman/core'
import type { Deadlines, Provider, Transport } from '@dragoman/core/provider'
import type { UnsupportedFields } from './body.ts'
import type { Cors } from './cors.ts'
import type { Paths } from './match.ts'
import type { Clock, Keys, Ledger, Log } from './ports.ts'
import type { Models } from './resolve.ts'
import type { Offload } from './bodies/offload.ts'
import type { Hooks, Stage } from './stages/stage.ts'

export interface GatewayOptions {
  readonly providers: readonly Provider[]
  /** For providers that have none of their own. */
  readonly transport: Transport
  /** Absent: nobody is admitted. */
  readonly keys?: Keys | undefined
  /** Other names for models: `{ 'claude-sonnet': 'anthropic/claude-sonnet-4-6' }`. */
  readonly aliases?: { readonly [alias: string]: string } | undefined
  /** Absent: all that the core has. */
  readonly protocols?: readonly Protocol[] | undefined
  /** Told of every answer. Absent: nothing is kept. */
  readonly log?: Log | undefined
  /** Told of every call to an upstream. Absent: nothing is kept. */
  readonly ledger?: Ledger | undefined
  readonly clock?: Clock | undefined
  /** New ids, for requests and for what answers need; each call gives another. */
  readonly ids?: (() => string) | undefined
  readonly deadlines?: Partial<Deadlines> | undefined
  readonly limits?: (Partial<Omit<GatewayLimits, 'counts'>> & { readonly counts?: Partial<CountLimits> }) | undefined
  /** Steps of your own, in this order. */
  readonly stages?: readonly Stage[] | undefined
  readonly cors?: Cors | undefined
  /** What becomes of request members that the specification does not accept; 'accept' when absent. */
  readonly unsupportedFields?: 'refuse' | 'accept' | undefined
  /** Where an operator sets `unsupportedFields`, for the words of a refusal; the option of `createGateway` when absent. */
  readonly unsupportedFieldsAt?: string | undefined
  /** The longest silence of a stream, in milliseconds. */
  readonly keepAliveMs?: number | undefined
  /**
   * How relayed streams pass where door and transport have web streams. 'untouched' costs no JavaScript per chunk, and reads usage
   * from a copy: then nothing keeps a silent stream alive, and one that ends early ends as the upstream ended it.
   */
  readonly relayedStreams?: 'exact' | 'untouched' | undefined
  /** Works on large bodies in another thread. Absent: all work is done in this one. */
  readonly offload?: Offload | undefined
}

/** How much is taken from whom. */
export interface GatewayLimits {
  /** Of a request body, in bytes after decompression. */
  readonly body: number
  /** Of all request bodies together that are held at once, in bytes. Who finds no room waits. */
  readonly bodies: number
  /** Of an upstream's whole answer, in bytes. */
  readonly answer: number
  /** Of messages, parts, tools and members of a request. */
  readonly counts: CountLimits
  /** Calls under way at once, each from its admission to the end of its answer. */
  readonly concurrency: number
  /** The same, of one key. */
  readonly perKey: number
}

/** The options with every default filled in. */
export interface Settings {
  readonly protocols: readonly Protocol[]
  readonly paths: Paths
  readonly hooks: Hooks
  readonly models: Models
  readonly transport: Transport
  readonly keys: Keys
  readonly log: Log | undefined
  readonly ledger: Ledger | undefined
  readonly clock: Clock
  readonly ids: () => string
  readonly deadlines: Deadlines
  readonly limits: GatewayLimits
  readonly cors: Cors | undefined
  readonly unsupportedFields: UnsupportedFields
  readonly keepAliveMs: number
  readonly relayedStreams: 'exact' | 'untouched'
  readonly offload: Offload | undefined
}
