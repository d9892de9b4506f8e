import type { Bytes } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import {
  createMemoryKeys,
  createMemoryLedger,
  createMemoryLog,
  createRouteMemory,
  type CallEnd,
  type Reply,
} from '../src/index.ts'
import { head, keptReply, scriptedTransport, type KeptReply } from './scripted.ts'
import { KEY, setUp, SSE } from './set-up.ts'

/** How code of others fails. */
const FAULTS = {
  throws: () => {
    throw new Error('broken')
  },
  'throws a text': () => {
    throw 'broken' // oxlint-disable-line typescript/only-throw-error -- code of others can
  },
  rejects: () => Promise.reject(new Error('broken')),
  'rejects later': async () => {
    await Promise.resolve()
    throw new Error('broken')
  },
} as const
type Fault = keyof typeof FAULTS

/** Everything of an embedder that runs for a call, and whether its error may end the call. */
const HOOKS = {
  log: 'watches',
  ledger: 'watches',
  onAttempt: 'watches',
  onSettle: 'watches',
  piece: 'watches',
  'reply.end': 'watches',
  'reply.cut': 'watches',
  'flow.pause': 'watches',
  'flow.cancel': 'watches',
  'flow.resume': 'watches',
  health: 'decides',
  onWatcherError: 'watches',
  aroundAnswer: 'decides',
  afterAdmission: 'decides',
  beforeRoute: 'decides',
  beforeCall: 'decides',
  'keys.find': 'decides',
  ids: 'decides',
  'reply.whole': 'decides',
  'reply.start': 'decides',
  'reply.write': 'decides',
  'transport.send': 'decides',
} as const
type Hook = keyof typeof HOOKS

/** How a call ends. */
const ENDS = ['complete', 'gone before the head', 'gone in the answer', 'reset', 'refused', 'late', 'silent'] as const
type End = (typeof ENDS)[number]

/** A gateway of which one part is broken until it is repaired. */
function brokenWorld(broken: Hook, fault: Fault) {
  let isBroken = true
  const ends: CallEnd[] = []
  /** Does its work, and then fails if it is the broken part. */
  const part =
    <Given extends readonly unknown[], Result>(hook: Hook, work: (...given: Given) => Result) =>
    (...given: Given): Result => {
      const result = work(...given)
      return hook === broken && isBroken ? (FAULTS[fault]() as Result) : result // whatever its type is
    }
  const log = createMemoryLog()
  const ledger = createMemoryLedger()
  const keys = createMemoryKeys([{ id: 'tester', secret: 'secret' }])
  const scripted = scriptedTransport()
  const memory = createRouteMemory()
  const world = setUp({
    log: { write: part('log', (entry) => log.write(entry)) },
    ledger: { onUsage: part('ledger', (record) => ledger.onUsage(record)) },
    keys: { find: part('keys.find', (secret) => keys.find(secret)) },
    ids: part('ids', () => 'id'),
    stages: [
      {
        afterAdmission: part('afterAdmission', () => undefined),
        beforeRoute: part('beforeRoute', () => undefined),
        beforeCall: part('beforeCall', () => undefined),
        onAttempt: part('onAttempt', () => undefined),
        aroundAnswer: part('aroundAnswer', () => part('piece', (_piece: Bytes) => undefined)),
        onSettle: part('onSettle', (_call, end) => void ends.push(end)),
      },
    ],
    onWatcherError: part('onWatcherError', () => undefined),
    memory: {
      ...memory,
      health: {
        ...memory.health,
        begin: (...given) => {
          const watch = memory.health.begin(...given)
          return {
            ...watch,
            firstByte: part('health', () => watch.firstByte()),
            succeeded: part('health', (tokens) => watch.succeeded(tokens)),
            neutral: part('health', () => watch.neutral()),
            fault: part('health', (kind) => watch.fault(kind)),
          }
        },
      },
    },
    transport: {
      send: part('transport.send', (call, receiver) => {
        const flow = scripted.send(call, receiver)
        return {
          pause: part('flow.pause', () => flow.pause()),
          resume: part('flow.resume', () => flow.resume()),
          cancel: part('flow.cancel', () => flow.cancel()),
        }
      }),
    },
    // So that whatever a call leaves behind stops the next one.
    limits: { concurrency: 1, body: 1000, bodies: 1000 },
    queues: { acme: { concurrency: 1, queue: 0, waitMs: 1000 } },
    deadlines: { total: 60_000 },
  })
  const open = async (stream: boolean): Promise<KeptReply> => {
    const reply = keptReply()
    reply.free = false
    const door: Reply = {
      whole: part('reply.whole', (...given) => reply.whole(...given)),
      start: part('reply.start', (...given) => reply.start(...given)),
      write: part('reply.write', (...given) => reply.write(...given)),
      end: part('reply.end', () => reply.end()),
      cut: part('reply.cut', () => reply.cut()),
    }
    const pending = await world.gateway.open(head('POST', '/red/gen', KEY), door)
    pending?.reserve(1000)
    pending?.proceed(new TextEncoder().encode(`{"model":"acme/m","stream":${stream}}`))
    await passed()
    reply.onGone = () => door.onGone?.()
    reply.onDrain = () => door.onDrain?.()
    return reply
  }
  return { ...world, log, ledger, ends, scripted, open, repair: () => (isBroken = false) }
}

/** All promises that are settled have run. */
const passed = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Plays the upstream and the caller of one call to its end. */
async function play({ scripted, clock }: ReturnType<typeof brokenWorld>, reply: KeptReply, end: End, stream: boolean) {
  const upstream = scripted.calls.at(-1)
  if (end === 'gone before the head') reply.onGone?.()
  else if (end === 'reset') upstream?.fail('reset')
  else if (end === 'refused') {
    upstream?.head(400)
    upstream?.chunk('{}')
    upstream?.end()
  } else {
    upstream?.head(200, stream ? SSE : undefined)
    upstream?.chunk(stream ? 'data: 1\n\n' : '{')
    reply.onDrain?.()
    if (end === 'gone in the answer') reply.onGone?.()
    if (end === 'silent') clock.advance(30_000)
    if (end === 'complete') {
      upstream?.chunk(stream ? 'data: end\n\n' : '}')
      upstream?.end()
    }
  }
  await passed()
  // Whatever is still under way ends by its deadline, and later events of the upstream and the caller come to nothing.
  clock.advance(120_000)
  upstream?.chunk('data: late\n\n')
  upstream?.end()
  upstream?.fail('reset')
  reply.onDrain?.()
  reply.onGone?.()
  await passed()
}

/** Doors, transports and the memory of routes are parts of a runtime, and not asynchronous. The rest is code of an embedder, which may be. */
const SYNCHRONOUS: readonly Hook[] = (Object.keys(HOOKS) as Hook[]).filter((hook) =>
  /^(?:reply|flow|transport)\.|^(?:health|ids)$/.test(hook),
)

describe.each(Object.keys(HOOKS) as Hook[])('a call with a broken %s', (broken) => {
  const faults = (Object.keys(FAULTS) as Fault[]).filter(
    (fault) => fault.startsWith('throws') || !SYNCHRONOUS.includes(broken),
  )
  const cases = faults.flatMap((fault) =>
    ENDS.flatMap((end) => [true, false].map((stream) => ({ fault, end, stream }))),
  )
  it.each(cases)('that $fault ends once, and leaves nothing behind: $end, stream: $stream', async (given) => {
    const { fault, end, stream } = given
    const stray: unknown[] = []
    const note = (thrown: unknown): void => void stray.push(thrown)
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
    try {
      const world = brokenWorld(broken, fault)
      const reply = await world.open(stream)
      await play(world, reply, end, stream)
      const called = world.scripted.calls.length
      // Without an id there is no call.
      expect(world.log.entries).toHaveLength(broken === 'ids' ? 0 : 1)
      expect(world.ledger.records).toHaveLength(called)
      expect(world.ends.flatMap(({ record }) => record ?? [])).toEqual(world.ledger.records)
      const isWatched = HOOKS[broken] === 'watches'
      expect(called).toBe(isWatched ? 1 : called)
      const outcomes = world.ledger.records.map(({ outcome }) => outcome)
      expect(outcomes).toEqual(isWatched && end === 'complete' ? ['complete'] : outcomes)
      world.repair()
      const later = await world.open(false)
      await play(world, later, 'complete', false)
      expect(later).toMatchObject({ status: 200, state: 'whole', text: '{}' })
      expect(world.ledger.records).toHaveLength(called + 1)
      await passed()
      expect(stray).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
      process.off('uncaughtException', note)
    }
  })
})
