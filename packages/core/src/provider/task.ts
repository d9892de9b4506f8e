import type { Clock } from './clock.ts'
import { pollTask } from './poll-task.ts'
import type { Call, Transport } from './transport.ts'
import { sendWhole, type WholeAnswer } from './whole-answer.ts'

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

/** Submits a task and polls it until it is done: see `pollTask`. */
export function runTask<Result>(task: Task<Result>): Promise<Result> {
  const { transport, submit, read } = task
  return pollTask({
    ...task,
    submit: (signal) => sendWhole(transport, submit, { signal }),
    read(answer) {
      const step = read(answer)
      if (step.state === 'done') return step
      const { poll, cancel, afterMs } = step
      return {
        state: 'running',
        poll: (signal) => sendWhole(transport, poll, { signal }),
        // Its response is ignored: the task is aborted either way.
        cancel: cancel && (() => void sendWhole(transport, cancel).catch(() => undefined)),
        afterMs,
      }
    },
  })
}
