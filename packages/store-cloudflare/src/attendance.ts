import type { WaitUntil } from './platform.ts'

/**
 * The calls of an isolate that are under way. The platform ties everything that waits, such as timers and calls of objects, to the request
 * that has begun it, and ends it with that request. So what concerns all calls is run by a request that lasts.
 */
export interface Attendance {
  /** A call begins. What it has begun lasts until it has left. */
  enter(id: string): void
  /** A call is over. It leaves when `onOver` has resolved. */
  leave(id: string): void
  /** Runs a function soon, in the request of the newest call. */
  schedule(this: void, run: () => void): void
}

export interface AttendanceOptions {
  readonly waitUntil: WaitUntil
  readonly now: () => number
  /** Runs about every second in each call that is under way. */
  readonly onTick: () => void
  /** What is left to do for a call that is over. */
  readonly onOver: () => Promise<void>
}

interface Visit {
  readonly tasks: (() => void)[]
  wake: () => void
  isOver: boolean
  /** Nothing is left to do. */
  isDone: boolean
  /** A request that was ended is not seen any more. */
  seenAt: number
}

const TICK_MS = 1000
/** Ticks can be late. */
const UNSEEN_MS = 3 * TICK_MS
/** The platform gives a request 30 seconds when its answer is over. */
const LONGEST_OVER_MS = 20_000

export function createAttendance({ waitUntil, now, onTick, onOver }: AttendanceOptions): Attendance {
  const visits = new Map<string, Visit>()
  /** What is scheduled and has not run yet. */
  const scheduled = new Map<() => void, number>()
  const newest = (): Visit | undefined => {
    const seen = [...visits.values()].filter(({ seenAt }) => now() - seenAt <= UNSEEN_MS)
    return seen.findLast(({ isOver }) => !isOver) ?? seen.at(-1)
  }
  const schedule = (run: () => void): void => {
    const task = (): void => {
      if (scheduled.delete(task)) run()
    }
    scheduled.set(task, now())
    const visit = newest()
    if (visit === undefined) return queueMicrotask(task)
    visit.tasks.push(task)
    visit.wake()
  }
  const work = ({ tasks }: Visit): void => {
    for (const task of tasks.splice(0)) task()
    for (const [task, at] of scheduled) if (now() - at > UNSEEN_MS) task()
  }
  /** A timer of its own shows the platform that the request does not hang. */
  const rest = async (visit: Visit): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    visit.wake = resolve
    const timer = setTimeout(resolve, TICK_MS)
    await promise
    clearTimeout(timer)
    visit.seenAt = now()
    work(visit)
  }
  const attend = async (id: string, visit: Visit): Promise<void> => {
    let tickedAt = now()
    while (!visit.isOver) {
      await rest(visit)
      if (now() - tickedAt < TICK_MS) continue
      tickedAt = now()
      onTick()
    }
    const until = now() + LONGEST_OVER_MS
    const finish = (): void => {
      visit.isDone = true
      visit.wake()
    }
    onOver().then(finish, finish)
    while (!visit.isDone && now() < until) await rest(visit)
    visits.delete(id)
    work(visit)
  }
  return {
    enter(id) {
      if (visits.has(id)) return
      for (const [other, { seenAt }] of visits) if (now() - seenAt > LONGEST_OVER_MS) visits.delete(other)
      const visit: Visit = { tasks: [], wake: ignore, isOver: false, isDone: false, seenAt: now() }
      visits.set(id, visit)
      waitUntil(attend(id, visit))
    },
    leave(id) {
      const visit = visits.get(id)
      if (visit === undefined) return
      visit.isOver = true
      visit.wake()
    },
    schedule,
  }
}

function ignore(): void {}
