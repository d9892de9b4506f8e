import type { Clock } from '@dragoman/gateway'
import type { Awaitable, BatchResult, Settlement, Store } from '../store/store.ts'
import { createGroupEnds } from './group-ends.ts'
import { isolate } from './isolate.ts'
import { openingOf, raiseOf, type RunningCall, type Unsettled } from './open-call.ts'
import { createPause, createTimer } from './pause.ts'
import { addSettled, createQueue, hasWaiting, isSettledDue, MOST_ENTRIES, takeGroup, type Group } from './queue.ts'
import type { RefusedMemory } from './refused-calls.ts'
import { heldSlice, type Slices } from './slices.ts'
import { createWaiters } from './waiters.ts'

/** Commits openings and settlements in groups, one group at a time. */
export interface Groups {
  readonly slices: Slices
  /** The number of settlements that are not committed yet. */
  waiting(): number
  /** The store has failed, and it is not yet time to try again. */
  isDown(): boolean
  /** The store has failed, and nothing was committed since. */
  hasFailed(): boolean
  /** Opens a call, or asks for more for one that is open and is about to be sent to another route. */
  open(running: RunningCall): void
  settle(unsettled: Unsettled): void
  /** Sends a batch even if it is empty, so that the store knows that this instance is alive. */
  beat(): void
  /** Resolves when everything that is waiting now is committed. Rejects if the store fails. */
  flush(): Promise<void>
  /** The same, and closes this instance in the store. */
  close(): Promise<void>
}

export interface GroupOptions {
  readonly store: Pick<Store, 'commit'>
  readonly clock: Clock
  /** Runs a function soon, when what arrives at the same time has arrived. */
  readonly schedule: (run: () => void) => void
  readonly instance: string
  readonly ttlMs: number
  /** How long a commit may take until it counts as failed. */
  readonly patienceMs: number
  /** Whether calls are served if the store fails. */
  readonly isServing: boolean
  readonly onFailed: (thrown: unknown) => void
  /** The store is back. */
  readonly onRestored: () => void
  readonly refused?: RefusedMemory | undefined
}

/** Settlements are not urgent: they wait for others so long. */
const SETTLE_MS = 20

export function createGroups(options: GroupOptions): Groups {
  const { clock, schedule, ttlMs } = options
  const queue = createQueue()
  const wants = { beat: false, last: false }
  const pause = createPause(clock, options.onRestored)
  let state: 'idle' | 'scheduled' | 'running' = 'idle'
  let committedAt = clock.now()
  const waiters = createWaiters()
  const ends = createGroupEnds(options, queue)
  let failIfLate: (() => void) | undefined

  const run = (): void => {
    if (state === 'running') return
    state = 'running'
    const now = clock.now()
    const withSettled = waiters.count() > 0 || wants.last || isSettledDue(queue, now, SETTLE_MS)
    if (withSettled) timer.stop()
    // The store may have given everything to others in the meantime.
    if (now - committedAt > ttlMs) queue.slices.giveBackAll()
    const group = takeGroup(queue, withSettled)
    const isLast = wants.last && !hasWaiting(queue) && queue.settled.length === 0
    wants.beat = false
    const onResult = (result: BatchResult): void => {
      committedAt = clock.now()
      pause.end()
      if (isLast) wants.last = false
      ends.succeed(group, result)
      proceed()
    }
    const onFailure = (thrown: unknown): void => {
      state = 'idle'
      if (isolate(queue, group, thrown, options)) return soon()
      timer.restart(pause.begin())
      options.onFailed(thrown)
      ends.fail(group)
      waiters.refuse(thrown)
    }
    failIfLate = commit(options, queue.slices, group, isLast, onResult, onFailure)
  }
  const timer = createTimer(clock, run)
  /** Continues after a group. */
  const proceed = (): void => {
    state = 'idle'
    const count = queue.settled.length
    const isUrgent = waiters.count() > 0 && (count > 0 || wants.last)
    if (hasWaiting(queue) || count >= MOST_ENTRIES || isUrgent || wants.beat) return soon()
    if (count > 0) timer.start(SETTLE_MS)
    waiters.finish()
  }
  const soon = (): void => {
    if (state === 'running') failIfLate?.()
    if (state !== 'idle') return
    state = 'scheduled'
    schedule(run)
  }
  const flush = (): Promise<void> => (soon(), waiters.wait())
  return {
    slices: queue.slices,
    waiting: () => queue.settled.length,
    isDown: () => pause.isRunning(),
    hasFailed: () => pause.hasFailed(),
    open(running) {
      queue[running.state === 'open' ? 'raises' : 'openings'].push(running)
      soon()
    },
    settle(unsettled) {
      addSettled(queue, unsettled, clock.now())
      if (state !== 'idle') return
      if (queue.settled.length >= MOST_ENTRIES && !pause.isRunning()) soon()
      else timer.start(SETTLE_MS)
    },
    beat() {
      wants.beat ||= !pause.isRunning()
      if (wants.beat) soon()
    },
    flush,
    close() {
      wants.last = true
      return flush()
    },
  }
}

/**
 * Sends a group. Returns a function that fails it if the store takes too long: a promise of a request that its platform has ended is never
 * settled, so other calls have to notice that.
 */
function commit(
  { store, clock, instance, ttlMs, patienceMs }: GroupOptions,
  slices: Slices,
  { number, settled, slices: changed, raises, openings }: Group,
  isLast: boolean,
  onResult: (result: BatchResult) => void,
  onFailure: (thrown: unknown) => void,
): () => void {
  const until = clock.now() + patienceMs
  let isOver = false
  const succeed = (result: BatchResult): void => {
    if (isOver) return
    isOver = true
    onResult(result)
  }
  const fail = (thrown: unknown): void => {
    if (isOver) return
    isOver = true
    onFailure(thrown)
  }
  let result: Awaitable<BatchResult> | undefined
  try {
    result = store.commit({
      instance,
      number,
      ttlMs,
      settlements: settled.map(settlementIn),
      slices: changed.map(heldSlice),
      ...(raises.length > 0 ? { raises: raises.map(raiseOf) } : {}),
      openings: openings.map((running) => openingOf(running, slices)),
      ...(isLast ? { last: true } : {}),
    })
  } catch (thrown) {
    fail(thrown)
  }
  if (result instanceof Promise) result.then(succeed, fail)
  else if (result !== undefined) succeed(result)
  return () => {
    if (clock.now() > until) fail(new Error(`The store has not answered for ${patienceMs} ms.`))
  }
}

function settlementIn({ settlement }: Unsettled): Settlement {
  return settlement
}
