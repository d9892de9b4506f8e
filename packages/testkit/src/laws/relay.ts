import {
  createFold,
  editTopLevel,
  isObject,
  type Edits,
  type Json,
  type JsonObject,
  type Protocol,
  type Usage,
} from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { same, show } from './same.ts'
import { bytesOf, cutBytes, decodeStream } from './streams.ts'
import { createExchange, type Subject, type WireStream } from './subject.ts'

/** The text of a body as its sender wrote it, and the text of each of its members. */
export interface Spelled {
  readonly text: string
  readonly members: readonly { readonly key: string; readonly text: string; readonly keyText: string }[]
}

/** A body with white space, escapes and repeated keys that no serializer would write. */
export function spelled(body: JsonObject): Arbitrary<Spelled> {
  const style = fc.record({
    spaces: fc.array(fc.constantFrom('', ' ', '\n', '\t', '\r\n  '), { minLength: 4, maxLength: 4 }),
    indent: fc.constantFrom(0, 2),
    escape: fc.boolean(),
    again: fc.subarray(Object.keys(body), { maxLength: 1 }),
  })
  return style.map(({ spaces, indent, escape, again }) => {
    const [before, after, around, end] = spaces as [string, string, string, string] // the generator above makes four
    const members = [...again, ...Object.keys(body)].map((key) => {
      const keyText = escape ? escaped(key) : JSON.stringify(key)
      return { key, keyText, text: `${keyText}${before}:${after}${JSON.stringify(body[key], null, indent)}` }
    })
    return {
      text: `${end}{${around}${members.map(({ text }) => text).join(`${around},${before}`)}${after}}${end}`,
      members,
    }
  })
}

/** Relay of requests: the declared members are edited wherever they occur; all other bytes stay. */
export function mustEditOnly(protocol: Protocol, body: JsonObject, { text, members }: Spelled): void {
  const edits = protocol.relay.edits(body, 'other-model')
  const out = Buffer.from(editTopLevel(bytesOf(text), edits)).toString('utf8')
  if (!same(JSON.parse(out), edited(body, edits)))
    throw new Error(`the edits are not what is sent\n ${out}\n ${show(edits)}`)
  const rest = withoutMembers(
    out,
    members.filter(({ key }) => !Object.hasOwn(edits, key)).map((member) => member.text),
  )
  const left = Object.entries(edits).reduce(
    (remaining, [key, value]) => withoutEdit(remaining, key, value, members),
    rest,
  )
  if (!/^[\s{},:]*$/.test(left)) throw new Error(`more than the edits changed\n ${out}\n left over: ${left}`)
}

/**
 * Relay of streams: the same bytes, without the frame that only metering requested, and with the requested model where the protocol
 * names it; the same usage as the decoder reads.
 */
export function mustTapStream(protocol: Protocol, subject: Subject, stream: WireStream, cuts: readonly number[]): void {
  const expected = stream.frames.filter((_, index) => index !== stream.unasked).join('')
  const tapped = tapOf(protocol, true, stream.body, cutBytes(bytesOf(stream.frames.join('')), cuts))
  mustBeText(tapped.text, expected)
  if (!tapped.complete) throw new Error('a whole stream is not complete')
  const named = stream.frames.map((frame) => withModel(frame, subject.model?.frame))
  mustBeText(
    tapOf(protocol, true, stream.body, cutBytes(bytesOf(stream.frames.join('')), cuts), ASKED).text,
    named.filter((_, index) => index !== stream.unasked).join(''),
  )
  const exchange = createExchange(protocol, subject, { toward: 'client' })
  const fold = createFold()
  for (const event of decodeStream(protocol, [bytesOf(stream.frames.join(''))], exchange.decode)) fold.push(event)
  mustBeUsage(tapped.usage, fold.response().usage)
}

/** A relayed stream that stops early is not complete. */
export function mustTapCut(protocol: Protocol, stream: WireStream): void {
  for (let kept = 0; kept <= stream.whole; kept++) {
    const bytes = bytesOf(stream.frames.slice(0, kept).join(''))
    const { complete } = tapOf(protocol, true, stream.body, [bytes])
    if (complete) throw new Error(`complete after ${kept} of ${stream.frames.length} frames`)
  }
}

/** A keep-alive may only be written between frames, never inside one that is partly sent. */
export function mustReportFrames(protocol: Protocol, stream: WireStream, cuts: readonly number[]): void {
  const tap = protocol.relay.tap({ stream: true, usage: usageOf(protocol, stream.body) })
  const edges = new Set([0])
  let edge = 0
  for (const [index, frame] of stream.frames.entries()) {
    if (index !== stream.unasked) edges.add((edge += bytesOf(frame).length))
  }
  let gone = 0
  let reported = false
  for (const chunk of cutBytes(bytesOf(stream.frames.join('')), cuts)) {
    gone += tap.push(chunk)?.length ?? 0
    if (tap.betweenFrames && !edges.has(gone))
      throw new Error(`between frames after ${gone} bytes, which is inside one`)
    reported ||= tap.betweenFrames
  }
  if (!reported) throw new Error('never between frames')
}

/** Relay of whole responses: the same bytes, with the requested model. */
export function mustTapBody(protocol: Protocol, subject: Subject, wire: JsonObject, cuts: readonly number[]): void {
  const text = JSON.stringify(wire, null, 1)
  const tapped = tapOf(protocol, false, {}, cutBytes(bytesOf(text), cuts))
  mustBeText(tapped.text, text)
  if (!tapped.complete) throw new Error('a whole response is not complete')
  const named = JSON.stringify(setModel(wire, subject.model?.whole), null, 1)
  mustBeText(tapOf(protocol, false, {}, cutBytes(bytesOf(text), cuts), ASKED).text, named)
  const exchange = createExchange(protocol, subject, { toward: 'client' })
  mustBeUsage(tapped.usage, protocol.response.decode(wire, exchange.decode).usage)
}

function tapOf(protocol: Protocol, stream: boolean, body: JsonObject, chunks: readonly Uint8Array[], model?: string) {
  const tap = protocol.relay.tap({ stream, usage: usageOf(protocol, body), model })
  const out = chunks.flatMap((chunk) => tap.push(chunk) ?? [])
  const { usage, complete, rest } = tap.end()
  return { text: Buffer.concat(rest === undefined ? out : [...out, rest]).toString('utf8'), usage, complete }
}

const ASKED = 'asked "for"/é'

/** A frame with the requested model. Its data must be written as JSON.stringify writes it. */
function withModel(frame: string, path: readonly string[] | undefined): string {
  const [line, data = ''] = /^data: ?(\{[^\r\n]*)/m.exec(frame) ?? []
  if (line === undefined) return frame
  return frame.replace(data, () => JSON.stringify(setModel(JSON.parse(data) as JsonObject, path)))
}

/** The same object with the requested model at the path; an object that does not have the path up to its last member stays. */
function setModel(owner: JsonObject, path: readonly string[] = []): JsonObject {
  const [member, ...rest] = path
  if (member === undefined) return owner
  if (rest.length === 0)
    return Object.hasOwn(owner, member) ? { ...owner, [member]: ASKED } : { [member]: ASKED, ...owner }
  const inner = owner[member]
  return isObject(inner) ? { ...owner, [member]: setModel(inner, rest) } : owner
}

function usageOf(protocol: Protocol, body: JsonObject): boolean | undefined {
  return protocol.relay.peek(body, { operation: 'generate' }).usage
}

function mustBeText(found: string, expected: string): void {
  if (found !== expected) throw new Error(`the bytes changed\n got      ${found}\n expected ${expected}`)
}

function mustBeUsage(found: Usage | undefined, expected: Usage | undefined): void {
  if (!same(found, expected)) throw new Error(`the tap reads ${show(found)}, the decoder ${show(expected)}`)
}

function edited(body: JsonObject, edits: Edits): { [key: string]: Json } {
  const kept = Object.entries(body).filter(([key]) => !Object.hasOwn(edits, key))
  const set = Object.entries(edits).flatMap(([key, value]) =>
    value === null ? [] : [[key, JSON.parse(value) as Json] as const],
  )
  return Object.fromEntries([...kept, ...set])
}

/** Removes each member from the text, one after another. Each must be there, byte for byte and in order. */
function withoutMembers(text: string, members: readonly string[]): string {
  let left = ''
  let from = 0
  for (const member of members) {
    const at = text.indexOf(member, from)
    if (at < 0) throw new Error(`a member changed: ${member}\n ${text}`)
    left += text.slice(from, at)
    from = at + member.length
  }
  return left + text.slice(from)
}

/** Removes an edited member once. A second occurrence stays and is found by the caller. */
function withoutEdit(text: string, key: string, value: string | null, members: Spelled['members']): string {
  if (value === null) return text
  const spellings = [
    ...members.filter((member) => member.key === key).map(({ keyText }) => keyText),
    JSON.stringify(key),
  ]
  const found = spellings.find((spelling) => text.includes(spelling)) ?? JSON.stringify(key)
  return text.replace(value, '').replace(found, '')
}

/** The same key with each letter escaped. */
function escaped(key: string): string {
  return `"${key
    .split('')
    .map((char) => (/[a-z]/.test(char) ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char))
    .join('')}"`
}
