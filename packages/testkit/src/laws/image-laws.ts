import { createLosses, DragomanError, type JsonObject, type Protocol } from '@dragoman/core'
import { imageEvents, type ImageAnswer, type ImageEvent, type ImageRequest, type MediaCall } from '@dragoman/core/media'
import { mustExplain } from './honesty.ts'
import { codecOf, decodeImages, encodeImages, foldImages, readCall, reading, writing } from './image-exchange.ts'
import type { ImageSubject, WireImageStream } from './image-subject.ts'
import { same, show } from './same.ts'
import { bytesOf, cutBytes } from './streams.ts'
import { createNoLosses, sent } from './subject.ts'

/** Identity: decoding and encoding in one protocol changes nothing except alternative spellings. */
export function mustKeepImageRequest(protocol: Protocol, subject: ImageSubject, call: MediaCall): void {
  const losses = createNoLosses()
  const [dialect] = subject.dialects
  const request = readCall(protocol, { ...call, body: sent(call.body) }, undefined, dialect)
  const back = codecOf(protocol).encode(request, {
    ...writing(protocol, losses, call.operation),
    toward: 'upstream',
    dialect,
  })
  const expected = subject.canon.request(call)
  mustBe(subject.canon.request(expected), expected, 'canon is not idempotent')
  mustBe({ ...back, body: sent(back.body) }, expected, 'the wire changed')
  losses.mustBeEmpty()
}

export function mustKeepImageAnswer(
  protocol: Protocol,
  subject: ImageSubject,
  wire: JsonObject,
  operation: string,
): void {
  const losses = createNoLosses()
  const { answer } = codecOf(protocol)
  const read = answer.decode(sent(wire), reading(protocol, operation))
  const back = sent(answer.encode(read, writing(protocol, losses, operation)))
  const expected = subject.canon.answer(wire)
  mustBe(subject.canon.answer(expected), expected, 'canon is not idempotent')
  mustBe(back, expected, 'the wire changed')
  losses.mustBeEmpty()
}

export function mustKeepImageStream(protocol: Protocol, { operation, frames }: WireImageStream): void {
  const losses = createNoLosses()
  const before = decodeImages(protocol, frames.join(''), operation)
  const text = encodeImages(protocol, before, writing(protocol, losses, operation))
  mustBe(decodeImages(protocol, text, operation), before, 'the stream changed')
  losses.mustBeEmpty()
}

/** Honesty: the other side understands the original, except for the losses in the report. */
export function mustAskHonestly(
  protocol: Protocol,
  subject: ImageSubject,
  request: ImageRequest,
  dialect: JsonObject | undefined,
): void {
  const losses = createLosses()
  const context = { ...writing(protocol, losses, ''), toward: 'upstream', dialect } as const
  const call = codecOf(protocol).encode(request, context)
  const received = { ...call, body: sent(call.body) }
  subject.accepts.request(received)
  mustExplain(losses.entries(), request, readCall(protocol, received, request, dialect))
}

export function mustAnswerHonestly(
  protocol: Protocol,
  subject: ImageSubject,
  answer: ImageAnswer,
  operation: string,
): void {
  const losses = createLosses()
  const codec = codecOf(protocol)
  const wire = refusedIfBlocked(answer, () => sent(codec.answer.encode(answer, writing(protocol, losses, operation))))
  if (wire === undefined) return
  subject.accepts.answer(wire)
  mustExplain(losses.entries(), answer, codec.answer.decode(wire, reading(protocol, operation)))
}

/** Undefined if a protocol refuses an answer without any image: for some of them that is an error. */
function refusedIfBlocked<T>({ images }: ImageAnswer, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (DragomanError.isInstance(error) && images.every(({ source }) => source === undefined)) return undefined
    throw error
  }
}

/** Paths of the report refer to the fold of the events. */
export function mustStreamHonestly(
  protocol: Protocol,
  subject: ImageSubject,
  events: readonly ImageEvent[],
  operation: string,
): void {
  const losses = createLosses()
  const text = encodeImages(protocol, events, writing(protocol, losses, operation))
  subject.accepts.stream?.(text, operation)
  const original = foldImages(events)
  const understood = refusedIfBlocked(original, () => foldImages(decodeImages(protocol, text, operation)))
  if (understood !== undefined) mustExplain(losses.entries(), original, understood)
}

/** Fold: an answer that is written as a stream and one that is written whole are read as the same answer. */
export function mustFoldImages(
  protocol: Protocol,
  { alike = (answer) => answer }: ImageSubject,
  answer: ImageAnswer,
  operation: string,
): void {
  const given = alike(answer)
  const codec = codecOf(protocol)
  const context = () => writing(protocol, createLosses(), operation)
  const whole = codec.answer.decode(sent(codec.answer.encode(given, context())), reading(protocol, operation))
  const text = encodeImages(protocol, imageEvents(given), context())
  mustBe(foldImages(decodeImages(protocol, text, operation)), whole, 'whole and stream differ')
}

/** An upstream's stream is read as the answer that it would have given without streaming. */
export function mustFoldImageWire(protocol: Protocol, { operation, frames, answer }: WireImageStream): void {
  const whole = codecOf(protocol).answer.decode(sent(answer), reading(protocol, operation))
  mustBe(foldImages(decodeImages(protocol, frames.join(''), operation)), whole, 'whole and stream differ')
}

/** Form: a stream that is cut before its first image, and one that fails, end as an error; nothing follows the end. */
export function mustEndImages(protocol: Protocol, { operation, frames }: WireImageStream): void {
  for (let kept = 0; kept <= frames.length; kept++) {
    const events = decodeImages(protocol, frames.slice(0, kept).join(''), operation)
    const ends = events.filter(({ type }) => type === 'end' || type === 'error')
    const expected = events.some(({ type }) => type === 'image') ? 'end' : 'error'
    if (ends.length !== 1 || events.at(-1)?.type !== expected)
      throw new Error(`ends as ${events.map(({ type }) => type).join(' ')} after ${kept} frames, not as ${expected}`)
  }
}

/** The client receives an error in a stream as an error, and a stream that stops without an end too. */
export function mustPassImageErrors(protocol: Protocol, events: readonly ImageEvent[], operation: string): void {
  const error = new DragomanError('overloaded', 'Too many calls.')
  for (const tail of [[{ type: 'error', error } as const], []]) {
    const text = encodeImages(protocol, [...events.slice(0, -1), ...tail], writing(protocol, createLosses(), operation))
    const last = decodeImages(protocol, text, operation).at(-1)
    if (last?.type !== 'error') throw new Error(`ends as ${last?.type}, not as an error: ${text}`)
  }
}

/** Relay: the bytes of an answer pass unchanged, and its usage and the number of its images are read, wherever the bytes are cut. */
export function mustTapImages(
  protocol: Protocol,
  text: string,
  meant: ImageAnswer,
  stream: boolean,
  cuts: readonly number[],
): void {
  const tap = codecOf(protocol).tap({ stream })
  const passed: Uint8Array[] = []
  for (const chunk of cutBytes(bytesOf(text), cuts)) passed.push(tap.push(chunk) ?? new Uint8Array())
  const { usage, images, complete, rest } = tap.end()
  passed.push(rest ?? new Uint8Array())
  if (Buffer.concat(passed).toString('utf8') !== text) throw new Error('the bytes changed')
  mustBe(
    { usage, images, complete },
    { usage: meant.usage, images: meant.images.filter(({ source }) => source !== undefined).length, complete: true },
    'the tap has read something else',
  )
}

/**
 * A form is read as the JSON body that it was made from. Unknown members are left out, because their numbers become text in a form, and so
 * are halves of surrogate pairs, which a form cannot have.
 */
export async function mustKeepForm(protocol: Protocol, { operation, body }: MediaCall): Promise<void> {
  const { form } = codecOf(protocol)
  if (form === undefined || protocol.http.target(operation, '', false).body !== 'multipart') return
  const entries = Object.entries(body).filter(([member]) => !member.startsWith('x_'))
  const known = Object.fromEntries(
    entries.map(([member, value]) => [member, typeof value === 'string' ? value.toWellFormed() : value]),
  )
  const read = await form.read(form.write(known))
  const meant = readCall(protocol, { operation, body: known })
  mustBe(readCall(protocol, { operation, body: read }), meant, 'the form differs')
}

function mustBe(found: unknown, expected: unknown, what: string): void {
  if (!same(found, expected)) throw new Error(`${what}\n got      ${show(found)}\n expected ${show(expected)}`)
}
