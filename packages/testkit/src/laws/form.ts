import { createLosses, type DragomanError, type Protocol, type StreamEvent } from '@dragoman/core'
import { growingText } from '../generators/stream.ts'
import { bytesOf, decodeStream, encodeStream } from './streams.ts'
import { createExchange, type Subject, type WireStream } from './subject.ts'

/** Form: a decoder emits one start, blocks one after another, one terminal event, and nothing after it. */
export function mustBeWellFormed(events: readonly StreamEvent[]): void {
  const form = createForm()
  for (const [index, event] of events.entries()) {
    const problem = form(event)
    if (problem !== undefined) throw new Error(`${problem}: event ${index}, ${event.type}, of ${kindsOf(events)}`)
  }
  const last = events.at(-1)?.type
  if (last !== 'end' && last !== 'error') throw new Error(`no terminal event: ${kindsOf(events)}`)
}

/** A stream that is cut before it is complete ends as an error. A complete stream ends as a response. */
export function mustEndAsItDid(protocol: Protocol, subject: Subject, stream: WireStream): void {
  for (let kept = 0; kept <= stream.frames.length; kept++) {
    const exchange = createExchange(protocol, subject, { toward: 'client' })
    const bytes = bytesOf(stream.frames.slice(0, kept).join(''))
    const events = decodeStream(protocol, [bytes], exchange.decode)
    mustBeWellFormed(events)
    const ending = events.at(-1)?.type
    if (kept <= stream.whole) mustBe(ending, 'error', `after ${kept} of ${stream.frames.length} frames`)
    if (kept === stream.frames.length) mustBe(ending, 'end', 'of a whole stream')
  }
}

/** A frame that is cut in the middle does not count. */
export function mustEndBroken(protocol: Protocol, subject: Subject, stream: WireStream): void {
  const exchange = createExchange(protocol, subject, { toward: 'client' })
  const bytes = bytesOf(stream.frames.slice(0, stream.whole + 1).join(''))
  const events = decodeStream(protocol, [bytes.subarray(0, -4)], exchange.decode)
  mustBeWellFormed(events)
  mustBe(events.at(-1)?.type, 'error', 'of a stream cut inside its last frame')
}

/** The client receives an error in a stream as an error, and a stream that stops without an end too. */
export function mustPassErrors(
  protocol: Protocol,
  subject: Subject,
  events: readonly StreamEvent[],
  error: DragomanError,
): void {
  const whole = events.slice(0, -1)
  for (let kept = 0; kept <= whole.length; kept++) {
    for (const tail of [[{ type: 'error', error } as const], []]) {
      const exchange = createExchange(protocol, subject, { toward: 'client' })
      const text = encodeStream(protocol, [...whole.slice(0, kept), ...tail], exchange.encode(createLosses()))
      const back = decodeStream(protocol, [bytesOf(text)], exchange.decode)
      mustBeWellFormed(back)
      mustBe(back.at(-1)?.type, 'error', `after ${kept} events${tail.length === 0 ? ' without a terminal one' : ''}`)
      if (text.length > 0 && !text.endsWith('\n\n')) throw new Error(`the last frame is open: ${text.slice(-80)}`)
    }
  }
}

/** The first problem with the order of the events; undefined if there is none. */
function createForm(): (event: StreamEvent) => string | undefined {
  let started = false
  let ended = false
  let open: 'grows' | 'whole' | undefined
  return (event) => {
    if (ended) return 'something after the terminal event'
    if (event.type === 'error') {
      ended = true
      return undefined
    }
    if (!started && event.type !== 'start') return 'not started'
    switch (event.type) {
      case 'start':
        if (started) return 'started twice'
        started = true
        return undefined
      case 'block-start':
        if (open !== undefined) return 'a block inside a block'
        open = growingText(event.part) === undefined ? 'whole' : 'grows'
        if ((growingText(event.part) ?? '') !== '') return 'a shell that is not empty'
        return undefined
      case 'block-delta':
        if (open === undefined) return 'a delta without a block'
        return open === 'grows' ? undefined : 'a delta for a block that came whole'
      case 'block-patch':
        return open === undefined ? 'a patch without a block' : undefined
      case 'block-end':
        if (open === undefined) return 'an end without a block'
        open = undefined
        return undefined
      case 'logprobs':
      case 'extras':
        return undefined
      case 'end':
        ended = true
        return open === undefined ? undefined : 'an end inside a block'
      default:
        return event satisfies never
    }
  }
}

function kindsOf(events: readonly StreamEvent[]): string {
  return events.map(({ type }) => type).join(' ')
}

function mustBe(found: string | undefined, expected: string, where: string): void {
  if (found !== expected) throw new Error(`ends as ${found ?? 'nothing'}, not as ${expected}, ${where}`)
}
