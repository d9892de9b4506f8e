import { DragomanError } from '../ir/error.ts'
import type { PriceTerms, Usage } from '../ir/usage.ts'
import type { Emit, EventOf, StreamEvent } from '../ir/stream.ts'
import { isObject, parseJson, type JsonObject } from '../lib/json.ts'
import { createRepeat } from '../lib/repeat.ts'
import { asUpstreamError } from './read-body.ts'
import type { StreamDecoder } from './protocol.ts'
import { isErrorBody } from './http.ts'

/** What is known about a response when it starts. */
export type Head = Omit<EventOf<'start'>, 'type'>

/** Where a reader puts what it reads. */
export interface Decoded {
  /** Starts the response if it has not started, with the head so far. */
  readonly emit: Emit<StreamEvent>
  /** Starts the response with this head. Of a response that has started, the head stays as it was. */
  readonly start: (head: Head) => void
  readonly isStarted: () => boolean
  /** The head, if the response starts with the next event. */
  readonly prepare: (head: Head) => void
  /** Ends the response: nothing is read after it. */
  readonly end: (event: Omit<EventOf<'end'>, 'type'>) => void
}

/** Reads the events of one stream. */
export interface StreamReader<Event> {
  /** Reads an event. Throws if it is an error. */
  read(event: Event): void
  /** The stream has said `[DONE]`. Absent: it means nothing. */
  done?(): void
  /** The text that an event adds to a block, if it does nothing else. */
  readonly added: (event: Event) => string | undefined
  /** More text for the open block; false if there is none. */
  readonly grow: (text: string) => boolean
  /** Whether text is read as it comes; absent: it always is. */
  passesText?(): boolean
  /** Ends a response that is complete without a last event of its own; false if it is not. Absent: it never is. */
  complete?(): boolean
  /** Ends the open blocks, before an error. */
  readonly close: () => void
  readonly usage: () => Usage | undefined
  readonly terms: () => PriceTerms | undefined
}

/**
 * The shell of all stream decoders: starts a response late if it must, reads an event that repeats the one before without parsing it,
 * turns what is thrown into the last event, and a stream that ends early into an error. `unread` is for `createRepeat`.
 */
export function createStreamDecoder<Event extends object>(
  given: Emit<StreamEvent>,
  createReader: (decoded: Decoded) => StreamReader<Event>,
  unread?: readonly string[],
): StreamDecoder {
  const repeat = createRepeat<Event>(unread)
  let head: Head = { response: {} }
  let isStarted = false
  let isOver = false
  let emitted = 0 // by the event that is read
  let last: StreamEvent | undefined
  const start = (): void => {
    isStarted = true
    given({ type: 'start', ...head })
  }
  const emit = (event: StreamEvent): void => {
    if (!isStarted) start()
    emitted++
    last = event
    given(event)
  }
  const prepare = (next: Head): void => {
    head = next
  }
  const reader = createReader({
    emit,
    prepare,
    isStarted: () => isStarted,
    start(next) {
      if (isStarted) return
      prepare(next)
      start()
    },
    end(event) {
      isOver = true
      emit({ type: 'end', ...event })
    },
  })
  const fail = (error: DragomanError): void => {
    if (isOver) return
    isOver = true
    reader.close()
    given({ type: 'error', error })
  }
  const read = (data: string): void => {
    const again = repeat.text(data)
    if (again !== undefined && reader.grow(again)) return
    repeat.forget()
    emitted = 0
    const event = parseObject(data) as Event | undefined // read leniently
    if (event === undefined) return readMark(data, reader)
    reader.read(event)
    if (emitted !== 1 || last?.type !== 'block-delta' || reader.passesText?.() === false) return
    if (last.text === reader.added(event)) repeat.learn(data, last.text, reader.added)
  }
  return {
    push(data) {
      if (isOver) return
      try {
        read(data)
      } catch (error) {
        fail(asUpstreamError(error))
      }
    },
    end() {
      if (isOver) return
      try {
        if (reader.complete?.() !== true)
          fail(new DragomanError('interrupted', 'The upstream ended its stream before the answer was complete.'))
      } catch (error) {
        fail(asUpstreamError(error))
      }
    },
    usage: () => reader.usage(),
    terms: () => reader.terms(),
  }
}

/** Undefined for what is no JSON object. `[DONE]` is not parsed: an error that is thrown costs as much as many events. */
function parseObject(data: string): JsonObject | undefined {
  const parsed = data.trimStart().startsWith('{') ? parseJson(data) : undefined
  return isObject(parsed) ? parsed : undefined
}

/** What is not an event: `[DONE]`, or nothing that can be read. */
function readMark(data: string, reader: Pick<StreamReader<never>, 'done'>): void {
  if (data !== '[DONE]')
    throw new DragomanError('upstream', 'The upstream sent a stream event that is not a JSON object.')
  reader.done?.()
}

/** An event without a type: an error of the upstream, or nothing that can be read. */
export function untypedEvent(event: object, decodeError: (event: JsonObject) => DragomanError): DragomanError {
  if (isErrorBody(event)) return decodeError(event as JsonObject) // parsed
  return new DragomanError('upstream', 'The upstream sent a stream event without a type.')
}
