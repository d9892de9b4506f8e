import { describe, expect, it } from 'vitest'
import { DragomanError } from '../ir/error.ts'
import type { StreamEvent } from '../ir/stream.ts'
import { createStreamDecoder, type Decoded, type StreamReader } from './stream-decoder.ts'

/** An event of a made-up protocol. */
interface Event {
  readonly id?: string
  readonly text?: string
  readonly note?: string
  readonly failure?: string
  readonly isLast?: boolean
}

const FINISH = { candidate: { finish: { reason: 'stop' } } } as const

/** A decoder of that protocol, with all that it emits and the events that its reader has read. */
function createDecoder(options: { readonly completes?: boolean; readonly passesText?: boolean } = {}) {
  const events: StreamEvent[] = []
  const read: Event[] = []
  let isOpen = false
  const createReader = (decoded: Decoded): StreamReader<Event> => ({
    read(event) {
      read.push(event)
      if (event.note === 'broken') throw new TypeError('cannot be read')
      if (event.failure !== undefined) throw new DragomanError('overloaded', event.failure)
      if (event.id !== undefined) decoded.prepare({ response: { id: event.id } })
      if (event.text !== undefined && !isOpen) decoded.emit({ type: 'block-start', part: { type: 'text', text: '' } })
      isOpen ||= event.text !== undefined
      if (event.text !== undefined) decoded.emit({ type: 'block-delta', text: event.text })
      if (event.isLast) decoded.end(FINISH)
    },
    added: ({ text }) => text,
    grow(text) {
      decoded.emit({ type: 'block-delta', text })
      return true
    },
    passesText: () => options.passesText ?? true,
    complete() {
      if (options.completes) decoded.end(FINISH)
      return options.completes === true
    },
    close() {
      if (isOpen) decoded.emit({ type: 'block-end' })
    },
    usage: () => undefined,
    terms: () => undefined,
  })
  const decoder = createStreamDecoder<Event>((event) => events.push(event), createReader)
  const { push, end } = { push: (data: string) => decoder.push(data), end: () => decoder.end() }
  return {
    events,
    read,
    end,
    push: (...sent: readonly Event[]) => sent.forEach((event) => push(JSON.stringify(event))),
    raw: push,
  }
}

const typesOf = (events: readonly StreamEvent[]) => events.map(({ type }) => type)

describe('the shell of stream decoders', () => {
  it('starts a response before its first event, with the head so far', () => {
    const { events, push } = createDecoder()
    push({ id: 'a' }, { note: 'nothing yet' })
    expect(events).toEqual([])
    push({ text: 'Hi' })
    expect(events[0]).toEqual({ type: 'start', response: { id: 'a' } })
    expect(typesOf(events)).toEqual(['start', 'block-start', 'block-delta'])
  })

  it('starts a response only once', () => {
    const { events, push } = createDecoder()
    push({ text: 'a' }, { id: 'late' }, { isLast: true })
    expect(typesOf(events)).toEqual(['start', 'block-start', 'block-delta', 'end'])
    expect(events[0]).toEqual({ type: 'start', response: {} })
  })

  it('reads an event that repeats another without parsing it', () => {
    const { events, read, push } = createDecoder()
    push({ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' })
    expect(events.flatMap((event) => (event.type === 'block-delta' ? event.text : []))).toEqual(['a', 'b', 'c', 'd'])
    // The first event starts the block, so the second is the one to learn.
    expect(read).toEqual([{ text: 'a' }, { text: 'b' }])
  })

  it('parses every event while text is not passed on as it comes, and the first after another event', () => {
    const held = createDecoder({ passesText: false })
    held.push({ text: 'a' }, { text: 'b' }, { text: 'c' })
    expect(held.read).toHaveLength(3)
    const { read, push } = createDecoder()
    push({ text: 'a' }, { text: 'b' }, { note: 'x' }, { text: 'c' })
    expect(read).toHaveLength(4)
  })

  it('ends with an error that was thrown, after the open blocks, and reads nothing more', () => {
    const { events, push, end } = createDecoder()
    push({ text: 'a' }, { failure: 'busy' }, { text: 'b' })
    end()
    expect(typesOf(events)).toEqual(['start', 'block-start', 'block-delta', 'block-end', 'error'])
    expect(events.at(-1)).toMatchObject({ error: { kind: 'overloaded', message: 'busy' } })
  })

  it('has one clear error for whatever else is thrown', () => {
    const { events, push } = createDecoder()
    push({ note: 'broken' })
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'upstream' } }])
  })

  it('ignores [DONE] unless the reader knows it, and has one error for what is not a JSON object', () => {
    const { events, read, push, raw } = createDecoder()
    push({ text: 'a' })
    raw('[DONE]')
    push({ text: 'b' })
    expect(read).toEqual([{ text: 'a' }, { text: 'b' }])
    raw('[1]')
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      error: { kind: 'upstream', message: 'The upstream sent a stream event that is not a JSON object.' },
    })
  })

  it('ends early with an error, unless the reader knows it as complete', () => {
    const early = createDecoder()
    early.push({ text: 'a' })
    early.end()
    expect(early.events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'interrupted' } })
    const complete = createDecoder({ completes: true })
    complete.push({ text: 'a' })
    complete.end()
    expect(complete.events.at(-1)).toEqual({ type: 'end', ...FINISH })
  })

  it('ends once', () => {
    const { events, push, end } = createDecoder()
    push({ isLast: true })
    end()
    expect(typesOf(events)).toEqual(['start', 'end'])
  })
})
