import { isObject, parseJson } from '@dragoman/core'
import { isErrorBody } from '@dragoman/core/protocols'
import { createCollector, type Collector } from '../ports/collect.ts'
import { failWhole, type FailedHead } from './fail-whole.ts'
import { largerAnswer } from './larger-answer.ts'
import type { Control, Dispatch, Sink } from './sink.ts'

/** The head of the answer to a request for a stream. */
export interface UndecidedHead extends FailedHead {
  /** Whether its content type is that of a stream, or absent. */
  readonly isStreamType: boolean
  /** The announced length; 0 if it is unknown. */
  readonly length: number
}

/**
 * The answer to a request for a stream, until its first character: some upstreams ignore the request and answer with a whole body, which
 * becomes a stream here, and some write an error in this way. Their content type does not always show this.
 */
export function createUndecidedSink(work: Dispatch, control: Control, stream: Sink, head: UndecidedHead): Sink {
  const { settings, exchange, handler } = work
  let body: Collector | undefined
  let isWhole = !head.isStreamType
  const finish = (): void => {
    const text = body?.text() ?? ''
    const frames = framesOf(text)
    if (frames === undefined) return failWhole(work, control, head, text)
    stream.push(UTF8.encode(frames))
    stream.end()
  }
  /** Undefined if the body is an error. */
  const framesOf = (text: string): string | undefined => {
    const json = parseJson(text)
    // The elements of a list are the events of a stream, as Google writes them without SSE.
    if (Array.isArray(json)) return json.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    if (!isObject(json) || isErrorBody(json) || handler.restream === undefined) return undefined
    const { text: frames, losses } = handler.restream(json)
    exchange.meter.lost(losses)
    return frames
  }
  return {
    push(chunk) {
      const first = isWhole ? OPEN : firstOf(chunk)
      // The rest of a stream goes straight to its sink.
      if (first !== undefined && first !== OPEN && first !== OPEN_LIST) {
        control.sink = stream
        if (body !== undefined) stream.push(body.bytes())
        return stream.push(chunk)
      }
      isWhole ||= first !== undefined
      body ??= createCollector(settings.limits.answer, head.length)
      exchange.lease?.add(chunk.length)
      if (!body.push(chunk)) throw largerAnswer()
    },
    end: () => (isWhole ? finish() : stream.end()),
    fail: (error) => stream.fail(error),
    close: () => stream.close(),
  }
}

const UTF8 = new TextEncoder()
const OPEN = 123
const OPEN_LIST = 91

/** The first byte that is not white space. Neither a field of SSE nor a comment begins with a brace. */
function firstOf(chunk: Uint8Array): number | undefined {
  return chunk.find((byte) => byte > 32)
}
