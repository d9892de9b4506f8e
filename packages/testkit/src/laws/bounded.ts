import {
  createLosses,
  createSseReader,
  DragomanError,
  type Json,
  type JsonObject,
  type Protocol,
  type StreamEvent,
} from '@dragoman/core'
import { bytesOf } from './streams.ts'
import { createExchange, type Subject } from './subject.ts'

const DEPTH = 10_000
const HOLE = '\u0001hole\u0001'

/** JSON text that has crashed other gateways. It replaces a value inside a valid body. */
export const HOSTILE: { readonly [name: string]: () => string } = {
  'an object 10000 levels deep': () => '{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH),
  'a list 10000 levels deep': () => '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  'blocks inside blocks': () => '[{"type":"tool_result","content":'.repeat(2000) + '[]' + '}]'.repeat(2000),
  'a list of 200000 numbers': () => JSON.stringify(Array.from({ length: 200_000 }, (_, index) => index)),
  'a list of 50000 objects': () => JSON.stringify(Array.from({ length: 50_000 }, () => ({ type: 'text', text: 'x' }))),
  'a key __proto__': () => '{"__proto__":{"polluted":true},"type":"text","text":"x","role":"user","content":"x"}',
  'a key constructor': () => '{"constructor":{"prototype":{"polluted":true}},"type":"x","role":"user","content":"x"}',
  'keys of Object.prototype': () =>
    '{"toString":1,"hasOwnProperty":2,"valueOf":3,"type":"toString","role":"constructor"}',
  'half a surrogate pair': () => '"\\ud800"',
  'a string of a million characters': () => JSON.stringify('x'.repeat(1_000_000)),
  'the largest number': () => '1e308',
  'a number below zero': () => '-1',
  nothing: () => 'null',
  true: () => 'true',
  'an empty list': () => '[]',
  'an empty object': () => '{}',
  'an empty string': () => '""',
  'a list of lists': () => '[[[]]]',
  'a list of nothing': () => '[null]',
}

/** Slow ones: tested at a few paths only. */
export const HEAVY: ReadonlySet<string> = new Set([
  'an object 10000 levels deep',
  'a list 10000 levels deep',
  'blocks inside blocks',
  'a list of 200000 numbers',
  'a list of 50000 objects',
  'a string of a million characters',
])

/** A hostile request is refused with a DragomanError, or it is translated. Nothing else is thrown and no prototype is changed. */
export function mustSurviveRequest(protocol: Protocol, subject: Subject, body: Json): void {
  withinReason(() => {
    const exchange = createExchange(protocol, subject, { toward: 'upstream' })
    const request = protocol.request.decode(protocol.request.check(body), exchange.decode)
    protocol.request.encode(request, exchange.encode(createLosses()))
  })
}

/** A hostile response is read as far as possible, or refused with a DragomanError. */
export function mustSurviveResponse(protocol: Protocol, subject: Subject, body: JsonObject): void {
  withinReason(() => {
    const exchange = createExchange(protocol, subject, { toward: 'client' })
    protocol.response.encode(protocol.response.decode(body, exchange.decode), exchange.encode(createLosses()))
  })
}

/** A hostile frame ends the stream as an error, or is skipped. The machine never throws. */
export function mustSurviveFrames(protocol: Protocol, subject: Subject, frames: readonly string[]): void {
  const exchange = createExchange(protocol, subject, { toward: 'client' })
  const events: StreamEvent[] = []
  const encoder = protocol.stream.encode(() => undefined, exchange.encode(createLosses()))
  const machine = protocol.stream.decode((event) => {
    events.push(event)
    encoder.push(event)
  }, exchange.decode)
  for (const frame of frames) machine.push(frame)
  machine.end()
  encoder.end()
  mustBeClean()
  if (events.at(-1)?.type !== 'error' && events.at(-1)?.type !== 'end') throw new Error('no terminal event')
}

/** A line without an end is refused at a limit with a RangeError, which the gateway turns into a DragomanError. */
export function mustLimitLines(): void {
  const reader = createSseReader(() => undefined, { limit: 100_000 })
  const chunk = bytesOf('x'.repeat(10_000))
  reader.push(bytesOf('data: '))
  try {
    for (let sent = 0; sent < 100; sent++) reader.push(chunk)
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof DragomanError) return
    throw thrown
  }
  throw new Error('a line of a million bytes was kept')
}

/** A body with the value at one path replaced. */
export function replaced(body: JsonObject, path: readonly (string | number)[], value: Json): JsonObject {
  return replace(body, path, value) as JsonObject // paths are never empty, so the root stays an object
}

/** The same as text, for values that JSON.stringify cannot write because it recurses and JSON.parse does not. */
export function replacedText(body: JsonObject, path: readonly (string | number)[], text: string): string {
  const [before = '', after = ''] = JSON.stringify(replace(body, path, HOLE)).split(JSON.stringify(HOLE))
  return before + text + after
}

/** Every path in a body, outer paths first. */
export function pathsIn(node: Json, before: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof node !== 'object' || node === null) return []
  const entries: [string | number, Json][] = isList(node) ? [...node.entries()] : Object.entries(node)
  return entries.flatMap(([key, value]) => [[...before, key], ...pathsIn(value, [...before, key])])
}

function replace(node: Json, path: readonly (string | number)[], value: Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (isList(node)) return node.map((item, index) => (index === key ? replace(item, rest, value) : item))
  if (typeof node !== 'object' || node === null) return node
  return { ...node, [key]: replace(node[key] ?? null, rest, value) }
}

function isList(node: Json): node is readonly Json[] {
  return Array.isArray(node)
}

/** Runs a step on hostile input: it may be refused with a DragomanError, in little time. */
export function withinReason(run: () => void): void {
  const before = process.cpuUsage()
  try {
    run()
  } catch (thrown) {
    if (!(thrown instanceof DragomanError)) throw new Error(`not a DragomanError: ${String(thrown)}`, { cause: thrown })
  }
  // CPU time, because other processes may use the machine.
  const { user, system } = process.cpuUsage(before)
  const took = (user + system) / 1000
  if (took > 5000) throw new Error(`took ${Math.round(took)} ms of CPU time`)
  mustBeClean()
}

function mustBeClean(): void {
  if ('polluted' in {}) throw new Error('Object.prototype is polluted')
}

/** Hostile text as a parsed value. */
export function parsed(text: string): Json {
  return JSON.parse(text) as Json // the text above is JSON
}
