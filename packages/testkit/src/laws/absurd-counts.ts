import { createLosses, isObject, type JsonObject, type Protocol, type Usage } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { foldOf } from '../generators/stream.ts'
import { mustFoldWire } from './fold.ts'
import { mustExplain } from './honesty.ts'
import { same, show } from './same.ts'
import { bytesOf, decodeStream, encodeStream } from './streams.ts'
import { createExchange, sent, type Subject, type WireStream } from './subject.ts'

/** A number that no count can be, as JSON text: some of them are not finite when they are parsed. */
export interface AbsurdCount {
  readonly text: string
  /** Chooses the count that it replaces. */
  readonly pick: number
}

export function absurdCount(): Arbitrary<AbsurdCount> {
  const texts = ['-1', '-0.5', '0.25', '1.5', '2000000001', '9007199254740993', '1e300', '1e308', '-1e308', '1e999']
  return fc.record({ text: fc.constantFrom(...texts), pick: fc.nat({ max: 1000 }) })
}

/**
 * Absurd counts of whole responses: the usage has only whole numbers from 0 to 10^9 and is marked, everything else is read as it would be
 * with another number, and what is written again differs by these numbers alone. The report names that, and nothing else.
 */
export function mustBoundCounts(protocol: Protocol, subject: Subject, wire: JsonObject, absurd: AbsurdCount): void {
  const replaced = replaceCount(wire, subject, absurd)
  if (replaced === undefined) return
  const exchange = createExchange(protocol, subject, { toward: 'client' })
  const text = replaced.spell(JSON.stringify(wire))
  const answer = JSON.parse(text) as JsonObject // an object stays an object
  const { usage, ...rest } = protocol.response.decode(answer, exchange.decode)
  mustBeBounded(usage)
  const { usage: _, ...plain } = protocol.response.decode(sent(wire), exchange.decode)
  if (!same(rest, plain)) throw new Error(`more than the usage is read differently\n ${show(rest)}\n ${show(plain)}`)
  const losses = createLosses()
  const back = sent(protocol.response.encode({ ...rest, ...(usage && { usage }) }, exchange.encode(losses)))
  mustReportMark(losses.entries())
  mustExplain(losses.entries(), { ...rest, usage }, protocol.response.decode(back, exchange.decode))
  const [written, expected] = [back, subject.canon.response(sent(wire))].map((each) => ({
    ...each,
    [replaced.member]: 0,
  }))
  if (!same(written, expected))
    throw new Error(`more than the usage changed\n got      ${show(written)}\n expected ${show(expected)}`)
  mustTap(protocol, text, text, usage)
}

/** The same for streams: they are read as the whole response is, relayed and translated. */
export function mustBoundStream(protocol: Protocol, subject: Subject, stream: WireStream, absurd: AbsurdCount): void {
  const replaced = replaceCount(stream.answer, subject, absurd)
  if (replaced === undefined) return
  const frames = stream.frames.map(replaced.spell)
  const answer = JSON.parse(replaced.spell(JSON.stringify(stream.answer))) as JsonObject // an object stays an object
  const exchange = createExchange(protocol, subject, { toward: 'client' })
  const events = decodeStream(protocol, [bytesOf(frames.join(''))], exchange.decode)
  const before = foldOf(events)
  mustBeBounded(before.usage)
  const { usage } = protocol.response.decode(answer, exchange.decode)
  if (!same(before.usage, usage)) throw new Error(`whole and stream differ\n ${show(usage)}\n ${show(before.usage)}`)
  const losses = createLosses()
  const text = encodeStream(protocol, events, exchange.encode(losses))
  mustReportMark(losses.entries())
  mustExplain(losses.entries(), before, foldOf(decodeStream(protocol, [bytesOf(text)], exchange.decode)))
  mustFoldWire(protocol, subject, { ...stream, frames, answer })
  const passed = frames.filter((_, index) => index !== stream.unasked).join('')
  mustTap(protocol, frames.join(''), passed, usage, stream.body)
}

/** Relay: the caller gets the bytes as they are, and the same usage is read from them. */
function mustTap(protocol: Protocol, text: string, passed: string, usage: Usage | undefined, body?: JsonObject): void {
  const asked = body && protocol.relay.peek(body, { operation: 'generate' }).usage
  const tap = protocol.relay.tap({ stream: body !== undefined, usage: asked })
  const out = Buffer.from(tap.push(bytesOf(text)) ?? []).toString('utf8')
  const end = tap.end()
  if (out + Buffer.from(end.rest ?? []).toString('utf8') !== passed) throw new Error(`the bytes changed\n ${out}`)
  if (!same(end.usage, usage)) throw new Error(`the tap reads ${show(end.usage)}, the decoder ${show(usage)}`)
}

interface Replaced {
  /** The member of a response with its usage. */
  readonly member: string
  /** Writes the absurd number in the text of a response or a frame. */
  readonly spell: (text: string) => string
}

/** Undefined if the response has none of the counts of the subject. */
function replaceCount(wire: JsonObject, { counts }: Subject, { text, pick }: AbsurdCount): Replaced | undefined {
  const [member] = counts[0]?.split('.') ?? []
  const usage = wire[member ?? '']
  if (member === undefined || !isObject(usage)) return undefined
  const present = counts.flatMap((path) => {
    const steps = path.split('.').slice(1)
    return typeof steps.reduce<unknown>(into, usage) === 'number' ? [steps] : []
  })
  const steps = present[pick % present.length]
  if (steps === undefined) return undefined
  const copy = structuredClone(usage) as { [member: string]: unknown } // a copy of JSON
  const holder = steps.slice(0, -1).reduce<unknown>(into, copy)
  if (isObject(holder)) Object.assign(holder, { [steps.at(-1) ?? '']: '@' })
  const whole = JSON.stringify(usage)
  return { member, spell: (given) => given.replaceAll(whole, () => JSON.stringify(copy).replace('"@"', text)) }
}

function into(node: unknown, step: string): unknown {
  if (Array.isArray(node)) return (node as unknown[])[Number(step)]
  return isObject(node) ? node[step] : undefined
}

function mustBeBounded(usage: Usage | undefined): void {
  const { extras: _, clamped, estimated: __, modalities = {}, ...counts } = usage ?? {}
  if (clamped !== true) throw new Error(`the usage is not marked: ${show(usage)}`)
  const numbers = [...Object.values(counts), ...Object.values(modalities).flatMap((side) => Object.values(side))]
  const odd = numbers.filter(
    (each) => !Number.isInteger(each) || Object.is(each, -0) || Number(each) < 0 || Number(each) > 1e9,
  )
  if (odd.length > 0) throw new Error(`out of range: ${show(odd)} in ${show(usage)}`)
}

function mustReportMark(report: readonly { readonly kind: string; readonly path: readonly unknown[] }[]): void {
  const lines = report.map(({ kind, path }) => `${kind} ${path.join('.')}`)
  if (!same(lines, ['dropped usage.clamped'])) throw new Error(`the report is ${show(report)}`)
}
