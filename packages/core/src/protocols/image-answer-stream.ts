import { asDragomanError, type DragomanError } from '../ir/error.ts'
import type { ImageEvent } from '../ir/image.ts'
import type { Losses } from '../ir/loss.ts'
import type { Machine } from '../ir/stream.ts'
import type { Usage } from '../ir/usage.ts'
import type { Draft } from '../lib/members.ts'
import { createSseReader } from '../lib/sse.ts'
import { asUpstreamError } from './read-body.ts'
import type { ImageCodec, MediaDecoding } from './media.ts'
import { reportLosses, type ReportedLoss } from './reported-loss.ts'

/** Translates an upstream's stream of images for the caller: bytes in, text out, synchronously. */
export interface ImageAnswerStream {
  push(chunk: Uint8Array): void
  /** The upstream ended. Without a finished image before, that is an error for the caller. */
  end(): void
  /** Ends the caller's stream with an error; ignored if it has ended. */
  fail(error: DragomanError): void
  /** A terminal event has been written. */
  readonly done: boolean
  /** The last that the upstream has reported. */
  readonly usage: Usage | undefined
  /** The number of finished images that were not blocked. */
  readonly images: number
  readonly failed: DragomanError | undefined
  /** Complete when it is done. */
  losses(): readonly ReportedLoss[]
}

/** Joins the decoder of the upstream and the encoder of the caller. */
export function createImageAnswerStream(
  upstream: NonNullable<ImageCodec['stream']>,
  encoder: Machine<ImageEvent>,
  context: MediaDecoding,
  losses: Losses,
): ImageAnswerStream {
  const pass = (event: ImageEvent): void => {
    if (stream.done) return
    if (event.type === 'image') {
      stream.usage = event.usage ?? stream.usage
      if (event.image.source !== undefined) stream.images++
    }
    if (event.type === 'error') stream.failed = event.error
    stream.done = event.type === 'end' || event.type === 'error'
    encoder.push(event)
  }
  const decoder = upstream.decode(pass, context)
  const reader = createSseReader((data) => decoder.push(data))
  /** A line without an end, or an event that cannot be written: whatever happens, the caller's stream ends. */
  const guarded = (run: () => void): void => {
    try {
      run()
    } catch (error) {
      pass({ type: 'error', error: error instanceof RangeError ? asUpstreamError(error) : asDragomanError(error) })
    }
  }
  const stream: Draft<ImageAnswerStream> = {
    push: (chunk) => guarded(() => reader.push(chunk)),
    end: () =>
      guarded(() => {
        reader.end()
        decoder.end()
      }),
    fail: (error) => pass({ type: 'error', error }),
    done: false,
    usage: undefined,
    images: 0,
    failed: undefined,
    losses: () => reportLosses(losses.entries()),
  }
  return stream
}
