import {
  editTopLevel,
  protocols,
  translate,
  translateError,
  translateResponse,
  translateStream,
  type JsonObject,
  type Protocol,
  type Quirk,
} from '@dragoman/core'
import { many } from '../shapes/shapes.ts'
import type { Step } from './linear.ts'
import { bytesOf } from './streams.ts'

/** Quirks at every place that a request can have many of. */
const QUIRKS: readonly Quirk[] = [
  { verb: 'default', at: 'tools.*.strict', to: true },
  { verb: 'drop', at: ['messages.*.name', 'tools.*.description', 'messages.*.parts.*.cache'] },
  { verb: 'clamp', at: 'settings.stop', max: 4 },
]

/** What cards say for upstreams that tell, or are told, in other ways. */
const DIALECTS_OF: { readonly [protocol: string]: readonly JsonObject[] } = {
  chat: [
    {
      cache: true,
      history: 'reasoning',
      reasoning: 'effort',
      think: 'tags',
      citations: 'citations',
      usage: { place: 'choice' },
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

/** The same input for all steps of a shape: to make it takes longer than most of them. */
function remembered<Input>(make: (size: number) => Input): (size: number) => Input {
  const made = new Map<number, Input>()
  return (size) => {
    const input = made.get(size) ?? make(size)
    made.set(size, input)
    return input
  }
}

/** A request to every protocol, to upstreams with dialects and quirks, and as it is. */
export function requestSteps(from: Protocol, shape: (size: number) => JsonObject): Steps {
  const make = remembered(shape)
  const send = (body: JsonObject, to: Protocol, dialect?: JsonObject, quirks?: readonly Quirk[]) =>
    translate(from, to, from.request.check(body), { ...FIXED, dialect, quirks })
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

/** An answer to every protocol. */
export function responseSteps(from: Protocol, shape: (size: number) => JsonObject): Steps {
  const make = remembered(shape)
  const read = (body: JsonObject, to: Protocol, dialect?: JsonObject) =>
    translateResponse(from, to, body, { ...FIXED, dialect })
  return {
    ...toEach(from, (to) => step(make, (body) => read(body, to))),
    ...withDialects(from, (dialect) => step(make, (body) => read(body, from, dialect))),
  }
}

/** A stream, in its chunks, to every protocol, and as it is. */
export function streamSteps(from: Protocol, shape: (size: number) => readonly Uint8Array[]): Steps {
  const make = remembered(shape)
  const read = (chunks: readonly Uint8Array[], to: Protocol, dialect?: JsonObject) => {
    const stream = translateStream(from, to, () => undefined, { ...FIXED, dialect })
    for (const chunk of chunks) stream.push(chunk)
    stream.end()
  }
  return {
    ...toEach(from, (to) => step(make, (chunks) => read(chunks, to))),
    ...withDialects(from, (dialect) => step(make, (chunks) => read(chunks, from, dialect))),
    relayed: step(make, (chunks) => {
      const tap = from.relay.tap({ stream: true })
      for (const chunk of chunks) tap.push(chunk)
      tap.end()
    }),
  }
}

/** Lines, which are the same to every protocol: to the first, and as they are. */
export function lineSteps(from: Protocol, make: (size: number) => readonly Uint8Array[]): Steps {
  const { 'to chat': translated, relayed } = streamSteps(from, make)
  return { translated, relayed } as Steps // both are there
}

/** An error to every protocol. */
export function errorSteps(from: Protocol): Steps {
  const make = (size: number) =>
    JSON.stringify({ error: { message: 'a '.repeat(size), details: many(size, (index) => ({ index })) } })
  return toEach(from, (to) => step(make, (body) => translateError(from, to, 400, body)))
}

function withDialects({ name }: Protocol, of: (dialect: JsonObject) => Step): Steps {
  return Object.fromEntries((DIALECTS_OF[name] ?? []).map((dialect, index) => [`with dialect ${index}`, of(dialect)]))
}

/** The protocol itself may not be the one of that name in the list: it may be another with a defect. */
function toEach(from: Protocol, of: (to: Protocol) => Step): Steps {
  const targets = protocols.map((to) => (to.name === from.name ? from : to))
  return Object.fromEntries(targets.map((to) => [`to ${to.name}`, of(to)]))
}
