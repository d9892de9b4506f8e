import {
  editTopLevel,
  translate,
  translateError,
  translateResponse,
  translateStream,
  type JsonObject,
  type Protocol,
} from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { findFeatures, prepareQuirks, type Quirk } from '@dragoman/core/provider'
import { many } from '../shapes/shapes.ts'
import type { Step } from './linear.ts'
import { bytesOf } from './streams.ts'

/** Quirks at every path that can occur many times in a request. */
const QUIRKS: readonly Quirk[] = [
  { verb: 'default', at: 'tools.*.strict', to: true },
  { verb: 'drop', at: ['messages.*.name', 'tools.*.description', 'messages.*.parts.*.cache'] },
  { verb: 'clamp', at: 'settings.stop', max: 4 },
]

/** The dialects of cards whose upstreams differ from their protocol. */
const DIALECTS_OF: { readonly [protocol: string]: readonly JsonObject[] } = {
  chat: [
    {
      cache: true,
      history: 'reasoning',
      reasoning: 'object',
      think: 'tags',
      citations: 'citations',
      usage: { at: 'choice' },
    },
  ],
  genai: [{ signatures: 'required', resultMedia: 'turn', schema: 'openapi', thinking: 'level' }],
}

/** Steps by their names. */
export type Steps = { readonly [name: string]: Step }

function step<Input>(make: (size: number) => Input, run: (input: Input) => unknown): Step {
  return (size) => {
    const input = make(size)
    return () => run(input)
  }
}

const match = { operation: 'generate', model: 'm', stream: true } as const
const FIXED = { id: () => 'new', now: 1_700_000_000, match }

/** Keeps the input for all steps of a shape, because creating it takes longer than most steps. */
function cached<Input>(make: (size: number) => Input): (size: number) => Input {
  const made = new Map<number, Input>()
  return (size) => {
    const input = made.get(size) ?? make(size)
    made.set(size, input)
    return input
  }
}

/** A request to every protocol, to upstreams with dialects and quirks, and relayed. */
export function requestSteps(from: Protocol, shape: (size: number) => JsonObject): Steps {
  const make = cached(shape)
  const send = (body: JsonObject, to: Protocol, dialect?: JsonObject, quirks?: readonly Quirk[]) =>
    // The report is made when it is read.
    translate(from, to, from.request.check(body), {
      ...FIXED,
      dialect,
      quirks: prepareQuirks(quirks),
      features: findFeatures,
    }).losses
  const bodies = (size: number) => {
    const body = make(size)
    return { body, bytes: bytesOf(JSON.stringify(body)) }
  }
  return {
    ...toEach(from, (to) => step(make, (body) => send(body, to))),
    'to upstreams with dialects and quirks': step(make, (body) =>
      protocols.map((to) => DIALECTS_OF[to.name]?.map((dialect) => send(body, to, dialect, QUIRKS))),
    ),
    relayed: step(bodies, ({ body, bytes }) => {
      from.relay.peek(body, match)
      from.relay.obstacle(body, { maxTokens: 100_000 })
      editTopLevel(bytes, { ...from.relay.edits(body, 'm'), model: '"m"', x_gone: null })
    }),
  }
}

/** A response to every protocol. */
export function responseSteps(from: Protocol, shape: (size: number) => JsonObject): Steps {
  const make = cached(shape)
  const read = (body: JsonObject, to: Protocol, dialect?: JsonObject) =>
    translateResponse(to, from, body, { ...FIXED, dialect })
  return {
    ...toEach(from, (to) => step(make, (body) => read(body, to))),
    ...withDialects(from, (dialect) => step(make, (body) => read(body, from, dialect))),
  }
}

/** A stream, in chunks, to every protocol, and relayed. */
export function streamSteps(from: Protocol, shape: (size: number) => readonly Uint8Array[]): Steps {
  const make = cached(shape)
  const read = (chunks: readonly Uint8Array[], to: Protocol, dialect?: JsonObject) => {
    const stream = translateStream(to, from, () => undefined, { ...FIXED, dialect })
    for (const chunk of chunks) stream.push(chunk)
    stream.end()
  }
  return {
    ...toEach(from, (to) => step(make, (chunks) => read(chunks, to))),
    ...withDialects(from, (dialect) => step(make, (chunks) => read(chunks, from, dialect))),
    relayed: step(make, (chunks) => {
      const tap = from.relay.tap({ stream: true, model: 'asked/model' })
      for (const chunk of chunks) tap.push(chunk)
      tap.end()
    }),
  }
}

/** Lines are the same for every protocol: translated to the first, and relayed. */
export function lineSteps(from: Protocol, make: (size: number) => readonly Uint8Array[]): Steps {
  const { 'to chat': translated, relayed } = streamSteps(from, make)
  return { translated, relayed } as Steps // streamSteps has both
}

/** An error to every protocol. */
export function errorSteps(from: Protocol): Steps {
  const make = (size: number) =>
    JSON.stringify({ error: { message: 'a '.repeat(size), details: many(size, (index) => ({ index })) } })
  return toEach(from, (to) => step(make, (body) => translateError(to, from, 400, body)))
}

function withDialects({ name }: Protocol, of: (dialect: JsonObject) => Step): Steps {
  return Object.fromEntries((DIALECTS_OF[name] ?? []).map((dialect, index) => [`with dialect ${index}`, of(dialect)]))
}

/** Uses the given protocol, which can have a planted defect, instead of the listed one with the same name. */
function toEach(from: Protocol, of: (to: Protocol) => Step): Steps {
  const targets = protocols.map((to) => (to.name === from.name ? from : to))
  return Object.fromEntries(targets.map((to) => [`to ${to.name}`, of(to)]))
}
