import { asDragomanError } from '@dragoman/core'
import type { Call, Transport } from '@dragoman/core/provider'
import { createCollector } from '../ports/collect.ts'
import type { Refreshed } from './downloads.ts'
import type { Failing } from './failing.ts'
import { declaredType } from './media-type.ts'

interface Reading {
  readonly limit: number
  readonly failing: Failing
  /** Its reason is a DragomanError. */
  readonly signal: AbortSignal
}

const NOT_MODIFIED = 304
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Reads a file, or where it is redirected to; undefined if it is the one with the tag of the call. A file whose head is wrong is not read.
 * The type is that of the header.
 */
export function readFile(
  transport: Transport,
  call: Call,
  { limit, failing, signal }: Reading,
  isWanted: (type: string) => boolean,
): Promise<Refreshed | { readonly location: string } | undefined> {
  return new Promise((resolve, reject) => {
    const collector = createCollector(limit)
    let type: string | undefined
    let tag: string | undefined
    let isOver = false
    let cancel = (): void => undefined
    const finish = (last: () => void): void => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', onAbort)
      last()
      cancel()
    }
    const fail = (error: Error): void => finish(() => reject(error))
    const onAbort = (): void => fail(asDragomanError(signal.reason))
    signal.addEventListener('abort', onAbort)
    const flow = transport.send(call, {
      onHead(status, header) {
        const location = header('location')
        const declared = declaredType(header('content-type'))
        type = header('content-type')
        tag = header('etag')
        const isSame = status === NOT_MODIFIED && call.headers['if-none-match'] !== undefined
        if (isSame) finish(() => resolve(undefined))
        else if (REDIRECTS.has(status) && location !== undefined) finish(() => resolve({ location }))
        else if (status !== 200) fail(failing('status'))
        else if (Number(header('content-length') ?? 0) > limit) fail(failing('size'))
        else if (declared !== undefined && !isWanted(declared)) fail(failing('type'))
        return 'chunks'
      },
      onChunk(chunk) {
        if (!isOver && !collector.push(chunk)) fail(failing('size'))
      },
      onEnd: () => finish(() => resolve({ bytes: collector.bytes(), type, tag })),
      onFail: ({ kind, cause }) => fail(failing(kind === 'timeout' ? 'timeout' : 'unreachable', cause)),
    })
    cancel = () => flow.cancel()
    // A transport may answer before it returns, and the download may have been cancelled before.
    if (isOver) cancel()
    else if (signal.aborted) onAbort()
  })
}
