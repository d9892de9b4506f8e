import { asDragomanError, DragomanError } from '../ir/error.ts'
import { createLosses, type Loss } from '../ir/loss.ts'
import { findOrphan } from '../ir/pairs.ts'
import type { Part } from '../ir/part.ts'
import type { Request } from '../ir/request.ts'
import type { Response } from '../ir/response.ts'
import type { Emit, StreamEvent } from '../ir/stream.ts'
import { overwrite, type Usage } from '../ir/usage.ts'
import type { JsonObject } from '../lib/json.ts'
import { createSseReader } from '../lib/sse.ts'
import type { DecodeContext, EncodeContext, Limits, Match, Protocol } from './protocol.ts'

export interface TranslateOptions {
  /** What the upstream calls the model; the caller's own word when absent. */
  readonly model?: string | undefined
  /** What the answer calls the model; the upstream's word when absent. */
  readonly answerModel?: string | undefined
  /** The seal domain of the model that is asked; the native one of its protocol when absent. */
  readonly issuer?: string | undefined
  readonly limits?: Limits | undefined
  /** The upstream's ways beyond its protocol. */
  readonly dialect?: JsonObject | undefined
  readonly id?: (() => string) | undefined
  /** Unix seconds. */
  readonly now?: number | undefined
  /** What the path of the call said: the model, a stream, its framing. */
  readonly match?: Pick<Match, 'model' | 'stream' | 'framing'> | undefined
}

/** A request on its way to another protocol, and the only thing that can bring its answer back. */
export interface Translation {
  readonly body: JsonObject
  readonly losses: readonly Loss[]
  /** What the caller asked for. */
  readonly stream: boolean
  response(body: JsonObject): {
    readonly body: JsonObject
    readonly losses: readonly Loss[]
    readonly usage?: Usage | undefined
  }
  /** Bytes of the upstream's stream in, text of the caller's stream out. */
  answerStream(write: Emit<string>): AnswerStream
  error(status: number, body: string): DragomanError
}

export interface AnswerStream {
  push(chunk: Uint8Array): void
  /** The upstream ended; without a terminal event before, that is an error for the caller. */
  end(): void
  /** Ends the caller's stream with an error; ignored when it has ended. */
  fail(error: DragomanError): void
  /** A terminal event has been written. */
  readonly done: boolean
  readonly usage: Usage | undefined
  readonly losses: readonly Loss[]
  readonly failed: DragomanError | undefined
}

/** Translates a checked request from one protocol to another. */
export function translate(from: Protocol, to: Protocol, body: JsonObject, options: TranslateOptions = {}): Translation {
  const asked = from.request.decode(body, { issuer: from.issuer, path: options.match })
  refuseOrphans(asked)
  const { routing, delivery, ...rest } = asked
  const { hideReasoning, ...handed } = delivery
  // Usage is always asked for: the meter needs it, and the answer leaves it out where the caller did not ask.
  const meant: Request = { ...rest, delivery: handed.stream ? { stream: true, usage: true } : { stream: false } }
  const request: Request = options.model === undefined ? meant : { ...meant, model: options.model }
  const issuer = options.issuer ?? to.issuer
  const names = to.request.names(toolNames(request))
  const losses = createLosses()
  const upstream: EncodeContext = {
    ...common(options),
    issuer,
    names,
    dialect: options.dialect,
    limits: options.limits,
    losses,
    toward: 'upstream',
  }
  const encoded = to.request.encode(request, upstream)
  const reading: DecodeContext = { issuer, names, dialect: options.dialect }
  const client = (): EncodeContext => ({
    ...common(options),
    issuer: from.issuer,
    losses: createLosses(),
    toward: 'client',
    asked: { stop: asked.settings.stop, usage: delivery.usage, framing: options.match?.framing },
  })
  return {
    body: encoded,
    losses: losses.entries,
    stream: delivery.stream === true,
    response(answer) {
      const response = to.response.decode(answer, reading)
      const context = client()
      const wire = from.response.encode(shown(response, hideReasoning === true, options.answerModel), context)
      return { body: wire, losses: context.losses.entries, usage: response.usage }
    },
    answerStream: (write) =>
      createAnswerStream(from, to, write, reading, client(), {
        hide: hideReasoning === true,
        model: options.answerModel,
      }),
    error: (status, text) => to.error.decode(status, text),
  }
}

function common(options: TranslateOptions): Pick<EncodeContext, 'id' | 'now'> {
  return { id: options.id ?? randomId, now: options.now ?? Math.floor(Date.now() / 1000) }
}

function randomId(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

function refuseOrphans(request: Request): void {
  const orphan = findOrphan(request.messages)
  if (orphan === undefined) return
  const what =
    orphan.kind === 'call'
      ? `the tool call "${orphan.id}" has no result`
      : `the tool result for "${orphan.id}" has no call before it`
  throw new DragomanError('invalid-request', `messages: ${what}.`, { param: 'messages' })
}

function toolNames(request: Request): Set<string> {
  const names = new Set<string>()
  for (const tool of request.tools ?? []) if (tool.type !== 'builtin') names.add(tool.name)
  for (const message of request.messages) {
    for (const part of message.parts) if (part.type === 'tool-call' && part.by === 'client') names.add(part.name)
  }
  return names
}

/** The answer as the caller may see it: the gateway's name for the model, reasoning hidden if asked. Seals still travel. */
function shown(response: Response, hide: boolean, model: string | undefined): Response {
  const named = model === undefined ? response : { ...response, model }
  if (!hide) return named
  const candidates = named.candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.filter((part) => !isReadable(part)),
  }))
  return { ...named, candidates }
}

function isReadable(part: Part): boolean {
  return part.type === 'reasoning' && !part.hidden
}

interface Showing {
  readonly hide: boolean
  readonly model: string | undefined
}

function createAnswerStream(
  from: Protocol,
  to: Protocol,
  write: Emit<string>,
  reading: DecodeContext,
  writing: EncodeContext,
  showing: Showing,
): AnswerStream {
  let usage: Usage | undefined
  let failed: DragomanError | undefined
  let done = false
  let hidden = false
  const encoder = from.stream.encode(write, writing)
  const pass = (event: StreamEvent) => {
    if (done) return
    switch (event.type) {
      case 'block-delta':
        if (!hidden) encoder.push(event)
        return
      case 'start':
        usage = event.usage
        encoder.push(
          showing.model === undefined ? event : { ...event, response: { ...event.response, model: showing.model } },
        )
        return
      case 'block-start':
        hidden = showing.hide && isReadable(event.part)
        break
      case 'end':
        usage = overwrite(usage, event.usage)
        done = true
        break
      case 'error':
        failed = event.error
        done = true
        break
      default:
    }
    if (!hidden || done) encoder.push(event)
    if (event.type === 'block-end') hidden = false
  }
  const decoder = to.stream.decode(pass, reading)
  const reader = createSseReader((data) => decoder.push(data))
  const fail = (error: DragomanError) => pass({ type: 'error', error })
  const guarded = (step: () => void) => {
    if (done) return
    try {
      step()
    } catch (error) {
      const tooLong = error instanceof RangeError
      fail(
        tooLong
          ? new DragomanError('upstream', 'The upstream sent an event without end.', { cause: error })
          : asDragomanError(error),
      )
    }
  }
  return {
    push: (chunk) => guarded(() => reader.push(chunk)),
    end: () =>
      guarded(() => {
        reader.end()
        decoder.end()
      }),
    fail,
    get done() {
      return done
    },
    get usage() {
      return usage
    },
    get losses() {
      return writing.losses.entries
    },
    get failed() {
      return failed
    },
  }
}
