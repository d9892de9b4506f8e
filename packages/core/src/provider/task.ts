import { DragomanError } from '../ir/error.ts'
import type { Call, Transport } from './transport.ts'
import { sendWhole, type WholeAnswer } from './whole-answer.ts'

/** Time, so that tests can move it by hand. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Runs once later; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

/** The state of a task in a response. */
export type TaskStep<Result> =
  | { readonly state: 'done'; readonly result: Result }
  | {
      readonly state: 'running'
      /** Requests the state of the task, with the key of the submission: see `Outbound.key`. */
      readonly poll: Call
      /** Stops the task at the upstream, if supported. */
      readonly cancel?: Call | undefined
      /** Milliseconds until the next poll; by default the interval. */
      readonly afterMs?: number | undefined
    }

/** A task of an upstream that answers at once and finishes later. */
export interface Task<Result> {
  readonly transport: Transport
  readonly clock: Clock
  /** Starts the task. */
  readonly submit: Call
  /** Reads the response to the submission and to each poll. Throws a DragomanError if the task has failed. */
  readonly read: (answer: WholeAnswer) => TaskStep<Result>
  /** Between two polls, in milliseconds. */
  readonly intervalMs: number
  /** For everything together, in milliseconds. */
  readonly deadlineMs: number
  /** Aborts the task. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Submits a task and polls it until it is done. A poll that fails, or gets 408, 429 or 5xx, is repeated, because the
 * task continues. When the deadline passes or the signal aborts, the task is cancelled at the upstream.
 */
export async function runTask<Result>(task: Task<Result>): Promise<Result> {
  const { transport, clock, submit, read, intervalMs } = task
  const end = createEnd(task)
  let step: TaskStep<Result> | undefined
  try {
    step = read(await sendWhole(transport, submit, { signal: end.signal }))
    while (step.state === 'running') {
      await pause(clock, step.afterMs ?? intervalMs, end.signal)
      const answer = await poll(transport, step.poll, end)
      if (answer !== undefined) step = read(answer)
    }
    return step.result
  } catch (error) {
    if (!end.signal.aborted) throw error
    // Its response is ignored: the task is aborted either way.
    if (step?.state === 'running' && step.cancel !== undefined) sendWhole(transport, step.cancel).catch(() => undefined)
    throw end.error()
  } finally {
    end.clear()
  }
}

/** The end of a task that is not done: its deadline, or the caller's signal. */
interface End {
  readonly signal: AbortSignal
  /** Why the last poll failed, as the cause of a timeout. */
  failure: unknown
  error(): DragomanError
  clear(): void
}

function createEnd({ clock, deadlineMs, signal }: Task<unknown>): End {
  const aborter = new AbortController()
  const abort = (): void => aborter.abort()
  const clear = clock.after(deadlineMs, abort)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted === true) abort()
  return {
    signal: aborter.signal,
    failure: undefined,
    error() {
      if (signal?.aborted === true) return new DragomanError('cancelled', 'The task was cancelled.')
      const message = `The upstream did not finish the task within ${Math.round(deadlineMs / 1000)} s.`
      return new DragomanError('timeout', message, { cause: this.failure })
    },
    clear() {
      clear()
      signal?.removeEventListener('abort', abort)
    },
  }
}

/** Undefined if the poll must be repeated. */
async function poll(transport: Transport, call: Call, end: End): Promise<WholeAnswer | undefined> {
  try {
    const answer = await sendWhole(transport, call, { signal: end.signal })
    if (!isPassing(answer.status)) return answer
    end.failure = new DragomanError('upstream', `A poll was answered with status ${answer.status}.`)
  } catch (error) {
    end.failure = error
  }
  return undefined
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** Waits, or rejects when the task has ended. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clear()
      reject(new DragomanError('cancelled', 'The task was cancelled.'))
    }
    const clear = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
}
