import {
  asDragomanError,
  createLosses,
  createSseReader,
  DragomanError,
  type Losses,
  type Protocol,
  type Usage,
} from '@dragoman/core'
import {
  billImageCount,
  imageEvents,
  type ImageAnswer,
  type ImageCodec,
  type ImageEvent,
  type ImageLook,
  type ImageRequest,
  type MediaEncoding,
} from '@dragoman/core/media'
import { present } from '../bodies/request-work.ts'
import type { StreamHandler } from '../modes/handler.ts'
import { forCaller } from '../routing/upstream-error.ts'
import type { MediaStreams, StreamContext } from './rules.ts'

/** Streams of images. */
export const imageStreams: MediaStreams<ImageAnswer, ImageRequest> = {
  translate(caller, upstream, context) {
    const codec = streamOf(upstream)
    const out = createOutput(caller, context)
    const decoder = codec.decode((event) => out.push(event), {
      issuer: context.issuer,
      dialect: context.dialect,
      operation: context.operation,
    })
    const reader = createSseReader((data) => decoder.push(data))
    return out.handler({
      push: (chunk) => reader.push(chunk),
      end() {
        reader.end()
        decoder.end()
      },
    })
  },
  emulate(caller, take, context) {
    const out = createOutput(caller, context)
    return out.handler({
      push: () => undefined,
      end() {
        const taken = take()
        if ('error' in taken) out.push({ type: 'error', error: taken.error })
        else for (const event of imageEvents(taken.answer)) out.push(event)
      },
    })
  },
  restream(upstream, body, { issuer, dialect, operation, writing }) {
    const losses = createLosses()
    const answer = present(upstream.image).answer.decode(body, { issuer, dialect, operation })
    let text = ''
    const encoder = streamOf(upstream).encode((piece) => (text += piece), { ...writing, issuer, dialect, losses })
    for (const event of imageEvents(answer)) encoder.push(event)
    return { text, losses: losses.entries() }
  },
  errorFrame(caller, error, context) {
    let text = ''
    const losses = createLosses()
    streamOf(caller)
      .encode((piece) => (text += piece), { ...context.writing, losses })
      .push({ type: 'error', error })
    return text
  },
  billRelayed: ({ usage, images }, asked) => billImageCount({ usage, images }, asked),
}

function streamOf({ image }: Protocol): NonNullable<ImageCodec['stream']> {
  return present(image?.stream)
}

/** Where bytes or answers come from. */
interface Input {
  push(chunk: Uint8Array): void
  end(): void
}

/** Writes events for the caller, and notes what they say. */
function createOutput(caller: Protocol, { writing, brief }: StreamContext<ImageRequest>) {
  const losses: Losses = createLosses()
  const context: MediaEncoding = { ...writing, losses }
  const drawn = createCounter()
  let text = ''
  let failed: DragomanError | undefined
  let isDone = false
  const encoder = streamOf(caller).encode((piece) => {
    text += piece
  }, context)
  const push = (given: ImageEvent): void => {
    if (isDone) return
    const event = drawn.check(given)
    isDone = event.type === 'end' || event.type === 'error'
    if (event.type === 'error') failed = event.error
    encoder.push(event)
  }
  /** One write per chunk, for any number of frames. */
  const take = (): string | undefined => {
    const taken = text
    text = ''
    return taken === '' ? undefined : taken
  }
  const fail = (error: DragomanError): string | undefined => {
    push({ type: 'error', error })
    return take()
  }
  const attempt = (run: () => void): string | undefined => {
    try {
      run()
    } catch (thrown) {
      push({ type: 'error', error: readingError(thrown) })
    }
    return take()
  }
  const bill = () => billImageCount(drawn.found(), brief)
  const handler = (input: Input): StreamHandler => ({
    push: (chunk) => attempt(() => input.push(chunk)),
    end: () => attempt(() => input.end()),
    fail,
    failed: () => failed,
    isDone: () => isDone,
    isUntouched: false,
    isKept: true,
    withLineEnds: (frame) => frame,
    isBetweenFrames: () => true,
    usage: bill,
    report: () => ({ usage: bill(), losses: losses.entries() }),
  })
  return { push, handler }
}

/** Counts the images of a stream. A stream without any ends as an error, with the reason if they were blocked. */
function createCounter() {
  let found: ImageLook & { readonly images: number; readonly usage?: Usage | undefined } = { images: 0 }
  let blocked: string | undefined
  return {
    check(event: ImageEvent): ImageEvent {
      if (event.type === 'error') return { type: 'error', error: forCaller(event.error) }
      if (event.type === 'end' && found.images === 0) return { type: 'error', error: nothingDrawn(blocked) }
      if (event.type !== 'image') return event
      const { image, look, usage = found.usage } = event
      if (image.source === undefined) blocked ??= image.blocked ?? 'The image was blocked.'
      else found = { ...look, images: found.images + 1, usage }
      return event
    },
    found: () => found,
  }
}

function nothingDrawn(blocked: string | undefined): DragomanError {
  if (blocked === undefined) return new DragomanError('upstream', 'The upstream answered without an image.')
  return new DragomanError('invalid-request', blocked, { code: 'moderation_blocked' })
}

/** An error while bytes were read: a RangeError means that an event was too long. */
function readingError(thrown: unknown): DragomanError {
  if (!(thrown instanceof RangeError)) return asDragomanError(thrown)
  return new DragomanError('upstream', 'The upstream sent an event without end.', { cause: thrown })
}
