import { asDragomanError, DragomanError } from '@dragoman/core'
import type { Failure, Receiver, Transport, WholeAnswer, Clock } from '@dragoman/core/provider'

/** What a run has come to: its result, or an answer of the upstream that is an error. */
export type Ran<Result> = { readonly result: Result } | { readonly refused: WholeAnswer }

export interface RunOptions<Result> {
  /** Rejects with a DragomanError. The signal aborts when the caller is gone or the time is over. */
  readonly run: (signal: AbortSignal) => Promise<Ran<Result>>
  /** Takes the result before the answer begins. */
  readonly done: (result: Result) => void
  /** Takes the error before the answer begins. */
  readonly failed: (error: DragomanError) => void
  /** The status for an error of the run itself. */
  readonly statusOf: (error: DragomanError) => number
  /** The error in an answer of the upstream, for a stream that has begun. */
  readonly errorOf?: (refused: WholeAnswer) => DragomanError
  readonly clock: Clock
  /** For everything together. */
  readonly deadlineMs: number
  /** For a stream: its type, and the time after which it begins without a result. */
  readonly stream?: { readonly type: string; readonly afterMs: number } | undefined
}

/**
 * A transport whose answer is made by a function: by several calls, by polling a task, or in this process. Attempts, deadlines and metering
 * see one upstream call. Its body is empty: the result is handed over by `done`.
 */
export function createRunTransport<Result>(options: RunOptions<Result>): Transport {
  const { run, clock, deadlineMs, stream } = options
  return {
    send(_call, receiver) {
      const aborter = new AbortController()
      let isOver = false
      let isBegun = false
      /** Called once. */
      const finish = (last: () => void): void => {
        if (isOver) return
        isOver = true
        for (const cancel of timers) cancel()
        last()
      }
      const fail = (kind: Failure['kind']): void =>
        finish(() => {
          aborter.abort()
          receiver.onFail({ kind, retryable: kind === 'timeout' })
        })
      const begin = (status: number, type: string, retryAfter?: number): void => {
        if (isBegun) return
        isBegun = true
        receiver.onHead(
          status,
          headerOf({
            'content-type': type,
            ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
          }),
        )
      }
      const timers = [
        clock.after(deadlineMs, () => fail('timeout')),
        ...(stream === undefined ? [] : [clock.after(stream.afterMs, () => begin(200, stream.type))]),
      ]
      const settle = (ran: Ran<Result>): void => {
        if ('refused' in ran && !isBegun) return replay(ran.refused, receiver)
        if ('result' in ran) options.done(ran.result)
        else options.failed(options.errorOf?.(ran.refused) ?? new DragomanError('upstream', 'The upstream failed.'))
        begin(200, stream?.type ?? JSON_TYPE)
        receiver.onEnd()
      }
      const refuse = (thrown: unknown): void => {
        const error = asDragomanError(thrown)
        options.failed(error)
        begin(options.statusOf(error), JSON_TYPE, error.retryAfter)
        receiver.onEnd()
      }
      run(aborter.signal)
        .then(
          (ran) => finish(() => settle(ran)),
          (thrown: unknown) => finish(() => refuse(thrown)),
        )
        .catch((cause: unknown) => receiver.onFail({ kind: 'reset', retryable: false, cause }))
      return { pause() {}, resume() {}, cancel: () => fail('cancelled') }
    },
  }
}

const JSON_TYPE = 'application/json'

function headerOf(headers: { readonly [name: string]: string }): (name: string) => string | undefined {
  return (name) => headers[name]
}

function replay({ status, header, bytes }: WholeAnswer, receiver: Receiver): void {
  receiver.onHead(status, header)
  if (bytes.length > 0) receiver.onChunk(bytes)
  receiver.onEnd()
}
