import type { CountLimits, Protocol } from '@dragoman/core'
import type { Deadlines, Provider, Transport, Clock } from '@dragoman/core/provider'
import type { UnsupportedFields } from '../ports/body.ts'
import type { Cors } from '../ports/cors.ts'
import type { Downloads } from '../downloads/downloads.ts'
import type { Paths } from '../ports/match.ts'
import type { ItemMemory } from '../memory/item-memory.ts'
import type { Keys, Ledger, Log } from '../ports/ports.ts'
import type { Report } from '../ports/report.ts'
import type { Models } from '../routing/resolve.ts'
import type { AliasOptions } from '../ports/policy.ts'
import type { Routing, RoutingOptions } from '../health/routing.ts'
import type { Offload } from '../bodies/offload.ts'
import type { Sealing } from '../sealing/sealing.ts'
import type { Hooks, Stage } from './stage.ts'

export interface GatewayOptions extends RoutingOptions {
  readonly providers: readonly Provider[]
  /** For providers without their own transport. */
  readonly transport: Transport
  /** Without keys, every call is refused. */
  readonly keys?: Keys | undefined
  /** If set, every call gets a 503 with this message, in the shape of its protocol. */
  readonly outOfService?: string | undefined
  /** Other names for models, each for one model or for several routes: `{ 'claude-sonnet': 'anthropic/claude-sonnet-4-6' }`. */
  readonly aliases?: { readonly [alias: string]: string | AliasOptions } | undefined
  /** Absent: all protocols of the core. */
  readonly protocols?: readonly Protocol[] | undefined
  /** Receives every answer. */
  readonly log?: Log | undefined
  /** Receives every call to an upstream. */
  readonly ledger?: Ledger | undefined
  readonly clock?: Clock | undefined
  /**
   * Receives what code that must not throw has thrown, at once or by a promise: the log, the ledger, hooks that only watch, timers. The call
   * goes on without it. The error can contain anything.
   */
  readonly onWatcherError?: Report | undefined
  /** Creates ids for requests and answers; each call returns a new one. */
  readonly ids?: (() => string) | undefined
  readonly deadlines?: Partial<Deadlines> | undefined
  readonly limits?: (Partial<Omit<GatewayLimits, 'counts'>> & { readonly counts?: Partial<CountLimits> }) | undefined
  /** Your own stages, in this order. */
  readonly stages?: readonly Stage[] | undefined
  readonly cors?: Cors | undefined
  /** The policy for request members that the specification does not accept; 'accept' if absent. */
  readonly unsupportedFields?: 'refuse' | 'accept' | undefined
  /** Where an operator sets `unsupportedFields`, for the text of a refusal; the option of `createGateway` if absent. */
  readonly unsupportedFieldsAt?: string | undefined
  /** Whether model lists need a key: 'private' ones do; 'public' if absent. With a valid key, a list has only what the key may use. */
  readonly modelLists?: 'public' | 'private' | undefined
  /** The longest silence of a stream, in milliseconds. */
  readonly keepAliveMs?: number | undefined
  /**
   * How long the usage of a call is awaited after its caller has left, in milliseconds; 5,000 if absent. Then the upstream is cancelled, and
   * an estimate is charged.
   */
  readonly usageMs?: number | undefined
  /**
   * How relayed streams pass if door and transport have web streams. 'untouched' runs no JavaScript per chunk and reads usage from a
   * copy. There are then no keep-alives, a stream that ends early ends as the upstream ended it, and it names the upstream's model.
   */
  readonly relayedStreams?: 'exact' | 'untouched' | undefined
  /** Processes large bodies in another thread. Absent: all work is done in this one. */
  readonly offload?: Offload | undefined
  /** Where an operator states prices, for the text of a refusal; the options of a provider if absent. */
  readonly pricesAt?: string | undefined
  /** Seals the names of operations: the first key seals, all of them open. At least 32 characters each. Without keys, videos are refused. */
  readonly sealingKeys?: readonly string[] | undefined
  /** Where an operator sets `sealingKeys`, for the text of a refusal; the option of `createGateway` if absent. */
  readonly sealingAt?: string | undefined
  /** The address of the gateway for its callers, for URLs in answers: `https://llm.example.com`. Absent: the one that the caller has used. */
  readonly publicUrl?: string | undefined
  /** Downloads media that requests and upstreams name by URL, for targets that take bytes only. Absent: nothing is downloaded. */
  readonly downloads?: Downloads | undefined
  /** Remembers items of answers that requests name by id, for protocols that have this; by default in the process. */
  readonly itemMemory?: ItemMemory | 'off' | undefined
}

/** The limits of a gateway. */
export interface GatewayLimits {
  /** One request body, in bytes after decompression. */
  readonly body: number
  /** One file of a form, in bytes. */
  readonly part: number
  /** All request bodies in memory together, in bytes. Further requests wait. */
  readonly bodies: number
  /** One whole answer of an upstream, or one stream that is translated, in bytes. */
  readonly answer: number
  /** Messages, parts, tools and members of a request. */
  readonly counts: CountLimits
  /** Concurrent calls, each from its admission to the end of its answer. */
  readonly concurrency: number
  /** The same for one key. */
  readonly perKey: number
  /** Downloads for one request. Together they may have as many bytes as a body. */
  readonly downloads: number
}

/** The options with all defaults. */
export interface Settings {
  readonly protocols: readonly Protocol[]
  readonly paths: Paths
  readonly hooks: Hooks
  readonly models: Models
  readonly transport: Transport
  readonly routing: Routing
  readonly keys: Keys
  readonly log: Log | undefined
  readonly ledger: Ledger | undefined
  /** Takes what a watcher has thrown. Never throws. */
  readonly report: Report
  readonly clock: Clock
  readonly ids: () => string
  /** Creates the id of a call that begins now. */
  readonly requestIds: (now: number) => string
  readonly deadlines: Deadlines
  readonly limits: GatewayLimits
  readonly cors: Cors | undefined
  readonly unsupportedFields: UnsupportedFields
  readonly modelLists: 'public' | 'private'
  readonly keepAliveMs: number
  readonly usageMs: number
  readonly relayedStreams: 'exact' | 'untouched'
  readonly offload: Offload | undefined
  readonly sealing: Sealing | undefined
  readonly sealingAt: string
  readonly pricesAt: string
  readonly publicUrl: string | undefined
  readonly outOfService: string | undefined
  readonly downloads: Downloads | undefined
  readonly itemMemory: ItemMemory | undefined
}
