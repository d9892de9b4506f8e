import type { Bucket, Limits } from '@dragoman/accounts/store'
import type { Redis, RedisOptions } from 'ioredis'
import { readScript } from '../read-script.ts'

/** What Redis is asked to do, in this order. */
export interface Order {
  readonly instance: string
  readonly ttlMs: number
  /** Redis must know the instance; otherwise it has lost its calls, and does nothing. */
  readonly isKnown: boolean
  /** All open calls of the instance, which replace those that Redis knows. */
  readonly calls?: readonly LoadedCall[] | undefined
  /** Buckets that get back the state before an earlier order. */
  readonly undo?: readonly Undo[] | undefined
  /** Calls that are not open after all. */
  readonly close?: readonly string[] | undefined
  readonly settlements?: readonly CountedSettlement[] | undefined
  readonly openings?: readonly CountedOpening[] | undefined
}

export interface LoadedCall {
  readonly id: string
  readonly key: string
  /** The bucket in Redis contains its tokens. */
  readonly isCounted: boolean
}

export interface Undo {
  readonly key: string
  readonly before: string
  readonly after: string
  /** What to subtract if another instance has changed the bucket since. */
  readonly requests: number
  readonly tokens: number
}

export interface CountedSettlement {
  readonly id: string
  readonly key: string
  readonly limits: Limits
  readonly tokens: number
  /** Tokens are corrected although the call is not open. */
  readonly isForced?: boolean | undefined
}

export interface CountedOpening {
  readonly id: string
  readonly key: string
  readonly limits: Limits
  readonly tokens: number
  /** It is open already: it is only counted. */
  readonly isForced?: boolean | undefined
}

export interface Counted {
  readonly now: number
  /** For each settlement: whether the call was open, and its tokens were corrected. */
  readonly settled: readonly ('corrected' | 'closed' | 'unknown')[]
  readonly verdicts: readonly CountedVerdict[]
  /** The buckets that were used, before the order and after it. */
  readonly buckets: ReadonlyMap<string, { readonly before: string; readonly after: string }>
}

export interface CountedVerdict {
  readonly answer: 'granted' | 'repeated' | 'rate' | 'concurrent'
  readonly bucket: Pick<Bucket, 'requests' | 'tokens'>
}

/** Limits in Redis. */
export interface Counters {
  readonly isReady: () => boolean
  /** Fails if Redis is not reached, takes too long, or has lost the instance. Whether it had an effect is then unknown. */
  readonly run: (order: Order) => Promise<Counted>
  readonly bury: (instance: string) => Promise<void>
  readonly close: () => void
}

export interface CountersOptions {
  /** `redis://user:password@host:6379`, the path of a socket, or options of the package ioredis. */
  readonly redis: string | RedisOptions
  /** What distinguishes the names in Redis from those of other gateways. */
  readonly tag: string
  readonly clock: { now(): number } | undefined
  readonly onError: (error: Error) => void
}

/** The longest wait of a call for Redis: after it, PostgreSQL decides alone. */
const COMMAND_MS = 500
const CONNECT_MS = 2000

/** Connects to Redis. If it cannot be reached, it is tried again and again, and nothing waits for it. */
export async function openCounters({ redis, tag, clock, onError }: CountersOptions): Promise<Counters> {
  const { Redis: Client } = await import('ioredis')
  const fixed: RedisOptions = {
    connectionName: 'dragoman',
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: COMMAND_MS,
    maxRetriesPerRequest: 0,
    // What was sent to a lost connection may have had its effect: it must not be sent again.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
  }
  const client = clientOf(() =>
    typeof redis === 'string'
      ? new Client(redis, { ...fixed, replyMapping: 'legacy' })
      : new Client({ ...fixed, ...redis, replyMapping: 'legacy' }),
  )
  client.on('error', (error: unknown) => onError(named(error)))
  await client.connect().catch(() => undefined) // reported by the event, and tried again
  const base = `{dragoman:${tag}}:`
  return {
    isReady: () => client.status === 'ready',
    async run(order) {
      const reply = await client.decide(base, ...argumentsOf(order, clock?.now())).catch(withoutCommand)
      if (reply[0] === 'lost') throw new Error('Redis: the instance is unknown, Redis has lost its data.')
      return readReply(reply)
    },
    async bury(instance) {
      await client.bury(base, instance).catch(withoutCommand)
    },
    close: () => client.disconnect(),
  }
}

/** The error of a wrong URL contains the URL, with its password. */
function clientOf(create: () => Redis): Scripted {
  try {
    const client = create()
    client.defineCommand('decide', { numberOfKeys: 1, lua: readScript('redis/decide.lua') })
    client.defineCommand('bury', { numberOfKeys: 1, lua: readScript('redis/bury.lua') })
    return client as Scripted // it has the commands that were defined
  } catch (error) {
    throw named(error)
  }
}

/** An error of ioredis has its command with all arguments, which can be a password: only its message is kept. */
function named(error: unknown): Error {
  return new Error(`Redis: ${error instanceof Error ? error.message : 'unknown error'}`)
}

function withoutCommand(error: unknown): never {
  throw named(error)
}

type Reply = readonly ['lost'] | readonly ['done', string, readonly string[], readonly string[], readonly string[]]

/** What `defineCommand` adds to a client. */
type Scripted = Redis & {
  decide(base: string, ...values: string[]): Promise<Reply>
  bury(base: string, instance: string): Promise<null>
}

function argumentsOf(order: Order, now: number | undefined): string[] {
  const { instance, ttlMs, isKnown, calls, undo = [], close = [], settlements = [], openings = [] } = order
  return [
    textOf(now),
    String(ttlMs),
    instance,
    flagOf(isKnown),
    flagOf(calls !== undefined),
    ...listOf(calls ?? [], ({ id, key, isCounted }) => [id, key, isCounted ? '+' : '-']),
    ...listOf(undo, ({ key, before, after, requests, tokens }) => [key, before, after, `${requests}`, `${tokens}`]),
    ...listOf(close, (id) => [id]),
    ...listOf(settlements, ({ id, key, limits, tokens, isForced }) => {
      return [id, key, textOf(limits.requests), textOf(limits.tokens), String(tokens), flagOf(isForced === true)]
    }),
    ...listOf(openings, ({ id, key, limits: { requests, tokens: most, concurrent }, tokens, isForced }) => {
      return [id, key, ...[requests, most, concurrent, tokens].map(textOf), flagOf(isForced === true)]
    }),
  ]
}

function listOf<T>(values: readonly T[], write: (value: T) => string[]): string[] {
  return [String(values.length), ...values.flatMap(write)]
}

function textOf(number: number | undefined): string {
  return number === undefined ? '' : String(number)
}

function flagOf(isSet: boolean): string {
  return isSet ? '1' : '0'
}

const SETTLED_OF: { readonly [mark: string]: Counted['settled'][number] } = { '+': 'corrected', '-': 'closed' }

function readReply([, now, settled, verdicts, buckets]: Exclude<Reply, readonly ['lost']>): Counted {
  return {
    now: Number(now),
    settled: settled.map((mark) => SETTLED_OF[mark] ?? 'unknown'),
    verdicts: triplesOf(verdicts).map(([answer, requests, tokens]) => ({
      answer: answer as CountedVerdict['answer'], // one of the answers in the script
      bucket: { requests: Number(requests), tokens: Number(tokens) },
    })),
    buckets: new Map(triplesOf(buckets).map(([key, before, after]) => [key, { before, after }])),
  }
}

function triplesOf(texts: readonly string[]): [string, string, string][] {
  return Array.from({ length: texts.length / 3 }, (_, index) => {
    const [first = '', second = '', third = ''] = texts.slice(index * 3, index * 3 + 3)
    return [first, second, third]
  })
}

/** A bucket as the script stores it. */
export function readBucket(text: string): Bucket {
  const [requests = 0, tokens = 0, at = 0] = text === '' ? [] : text.split(' ').map(Number)
  return { requests, tokens, at }
}
