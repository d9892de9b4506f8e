import { asDragomanError, DragomanError } from '../ir/error.ts'
import type { Loss } from '../ir/loss.ts'
import type { Part } from '../ir/part.ts'
import type { Response } from '../ir/response.ts'
import type { Emit, StreamEvent } from '../ir/stream.ts'
import { overwrite, type Usage } from '../ir/usage.ts'
import { createSseReader } from '../lib/sse.ts'
import type { DecodeContext, EncodeContext, Protocol } from './protocol.ts'

/** An upstream's stream on its way to the caller: bytes in, text out, nothing else happens in between. */
export interface AnswerStream {
  push(chunk: Uint8Array): void
  /** The upstream ended; without a terminal event before, that is an error for the caller. */
  end(): void
  /** Ends the caller's stream with an error; ignored when it has ended. */
  fail(error: DragomanError): void
  /** A terminal event has been written. */
  readonly done: boolean
  readonly usage: Usage | undefined
  readonly losses: readonly Loss[]
  readonly failed: DragomanError | undefined
}

/** The answer as the caller may see it: the gateway's name for the model, reasoning hidden if asked. Seals still travel. */
export function shown(response: Response, { hide, model }: Showing): Response {
  const named = model === undefined ? response : { ...response, model }
  if (!hide) return named
  const candidates = named.candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.filter((part) => !isReadable(part)),
  }))
  return { ...named, candidates }
}

function isReadable(part: Part): boolean {
  return part.type === 'reasoning' && !part.hidden
}

/** How the caller sees the answer. */
export interface Showing {
  readonly hide: boolean
  readonly model: string | undefined
}

export function createAnswerStream(
  from: Protocol,
  to: Protocol,
  write: Emit<string>,
  reading: DecodeContext,
  writing: EncodeContext,
  showing: Showing,
): AnswerStream {
  let usage: Usage | undefined
  let failed: DragomanError | undefined
  let done = false
  let hidden = false
  const encoder = from.stream.encode(write, writing)
  const pass = (event: StreamEvent) => {
    if (done) return
    switch (event.type) {
      case 'block-delta':
        if (!hidden) encoder.push(event)
        return
      case 'start':
        usage = event.usage
        encoder.push(
          showing.model === undefined ? event : { ...event, response: { ...event.response, model: showing.model } },
        )
        return
      case 'block-start':
        hidden = showing.hide && isReadable(event.part)
        break
      case 'end':
        usage = overwrite(usage, event.usage)
        done = true
        break
      case 'error':
        failed = event.error
        done = true
        break
      default:
    }
    if (!hidden || done) encoder.push(event)
    if (event.type === 'block-end') hidden = false
  }
  const decoder = to.stream.decode(pass, reading)
  const reader = createSseReader((data) => decoder.push(data))
  const fail = (error: DragomanError) => pass({ type: 'error', error })
  const guarded = (step: () => void) => {
    if (done) return
    try {
      step()
    } catch (error) {
      const tooLong = error instanceof RangeError
      fail(
        tooLong
          ? new DragomanError('upstream', 'The upstream sent an event without end.', { cause: error })
          : asDragomanError(error),
      )
    }
  }
  return {
    push: (chunk) => guarded(() => reader.push(chunk)),
    end: () =>
      guarded(() => {
        reader.end()
        decoder.end()
      }),
    fail,
    get done() {
      return done
    },
    get usage() {
      return usage
    },
    get losses() {
      return writing.losses.entries
    },
    get failed() {
      return failed
    },
  }
}
