import { asDragomanError, DragomanError } from '../ir/error.ts'
import { joinBytes } from '../lib/frames.ts'
import type { Call, Transport, Failure } from './transport.ts'

/** A complete answer: its status, headers and bytes. */
export interface WholeAnswer {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly bytes: Uint8Array
  /** The bytes as UTF-8. */
  readonly text: () => string
}

/** The options of `sendWhole`. */
export interface SendOptions {
  /** The largest answer, in bytes; 32 MiB by default. */
  readonly limit?: number | undefined
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined
}

const LIMIT = 32 * 1024 * 1024

/** Sends a call and reads the whole answer, whatever its status. Rejects with a DragomanError. */
export function sendWhole(
  transport: Transport,
  call: Call,
  { limit = LIMIT, signal }: SendOptions = {},
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    let head: Pick<WholeAnswer, 'status' | 'header'> | undefined
    let isStopped = false
    let cancel = (): void => undefined
    const stop = (error: DragomanError): void => {
      isStopped = true
      reject(error)
      cancel()
    }
    const onAbort = (): void => stop(new DragomanError('cancelled', 'The call to the upstream was cancelled.'))
    const settle = (last: () => void): void => {
      signal?.removeEventListener('abort', onAbort)
      last()
    }
    if (signal?.aborted === true) return onAbort()
    signal?.addEventListener('abort', onAbort)
    const flow = transport.send(call, {
      onHead(status, header) {
        head = { status, header }
        // Transports call this from events, where no code could catch an error.
        try {
          call.answered?.(status, header)
        } catch (thrown) {
          stop(asDragomanError(thrown))
        }
        return 'chunks'
      },
      onChunk(chunk) {
        size += chunk.length
        if (size <= limit) chunks.push(chunk)
        else stop(new DragomanError('upstream', 'The answer of the upstream is too large.'))
      },
      onEnd: () =>
        settle(() => {
          const { status, header } = head ?? { status: 0, header: () => undefined }
          const bytes = joinBytes(chunks)
          resolve({ status, header, bytes, text: () => new TextDecoder().decode(bytes) })
        }),
      onFail: (failure) => settle(() => reject(failureError(failure, head !== undefined))),
    })
    cancel = () => flow.cancel()
    // A transport may answer before it returns.
    if (isStopped) cancel()
  })
}

/** The error for a call that failed below HTTP; `begun` if a part of the answer had arrived. */
export function failureError({ kind, cause }: Failure, begun: boolean): DragomanError {
  if (kind === 'timeout') return new DragomanError('timeout', 'The upstream took too long to answer.', { cause })
  if (begun) return new DragomanError('interrupted', 'The connection to the upstream broke off.', { cause })
  return new DragomanError('upstream', TEXT_OF[kind], { cause })
}

const TEXT_OF: Record<Exclude<Failure['kind'], 'timeout'>, string> = {
  refused: 'The upstream could not be reached.',
  dns: 'The upstream could not be found.',
  tls: 'No secure connection to the upstream could be made.',
  reset: 'The upstream closed the connection without an answer.',
  cancelled: 'The call to the upstream was cancelled.',
}
