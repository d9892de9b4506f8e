import { applyQuirks } from '../ir/apply-quirks.ts'
import { composeLosses } from '../ir/compose.ts'
import { DragomanError } from '../ir/error.ts'
import { createLosses, type Loss } from '../ir/loss.ts'
import { findOrphan } from '../ir/pairs.ts'
import type { Quirk } from '../ir/quirk.ts'
import { encodeRenames } from '../ir/rename.ts'
import type { ModelRequest } from '../ir/request.ts'
import type { Emit } from '../ir/stream.ts'
import type { JsonObject } from '../lib/json.ts'
import { createAnswerStream, shown, type AnswerStream } from './answer-stream.ts'
import { readAnswer, readRequest } from './lenient.ts'
import type { Asked, EncodeContext, Limits, Match, Protocol } from './protocol.ts'
import {
  commonContext,
  jsonOf,
  translateAnswer,
  type AnswerFacts,
  type AnswerTranslator,
  type TranslatedAnswer,
} from './translate-answer.ts'

/** What a translation may be told beside the request itself. */
export interface TranslateOptions {
  /** What the upstream calls the model; the caller's own word when absent. */
  readonly model?: string | undefined
  /** What the answer calls the model; the upstream's word when absent. */
  readonly answerModel?: string | undefined
  /** The seal domain of the model that is asked; the native one of its protocol when absent. */
  readonly issuer?: string | undefined
  /** Sends no seal of the history, its own included: the upstream has refused one of them. */
  readonly withoutSeals?: boolean | undefined
  readonly limits?: Limits | undefined
  /** The upstream's ways beyond its protocol. */
  readonly dialect?: JsonObject | undefined
  /** What the upstream does differently with requests. */
  readonly quirks?: readonly Quirk[] | undefined
  readonly id?: (() => string) | undefined
  /** Unix seconds. */
  readonly now?: number | undefined
  /** What the path of the call said: the model, a stream, its framing. */
  readonly match?: Pick<Match, 'model' | 'stream' | 'framing'> | undefined
}

/** A request on its way to another protocol, and the translator of its answer. */
export interface Translation extends TranslatedRequest, AnswerTranslator {}

/** A request on its way to another protocol. */
export interface TranslatedRequest {
  readonly body: JsonObject
  readonly losses: readonly Loss[]
  /** What the caller asked for. */
  readonly stream: boolean
  /** What `translateAnswer` needs to translate the answer elsewhere: in another thread, after the request is forgotten. */
  readonly facts: AnswerFacts
}

/** Translates a request from one protocol to another. It need not have been checked: one that cannot be read is refused. */
export function translate(from: Protocol, to: Protocol, body: object, options: TranslateOptions = {}): Translation {
  const request = translateRequest(from, to, body, options)
  return { ...translateAnswer(from, to, request.facts, options), ...request }
}

/** The same without a translator for the answer: `translateAnswer` makes one of the facts, wherever the answer is translated. */
export function translateRequest(
  from: Protocol,
  to: Protocol,
  body: object,
  options: TranslateOptions = {},
): TranslatedRequest {
  return readRequest(
    body,
    (given) => from.request.check(given),
    () => encodeFor(from, to, body, options),
  )
}

function encodeFor(from: Protocol, to: Protocol, body: object, options: TranslateOptions): TranslatedRequest {
  const asked = from.request.decode(jsonOf(body), { issuer: from.issuer, path: options.match })
  refuseOrphans(asked, from.request.history)
  const { delivery } = asked
  const named = handedOn(asked, options.model)
  const { quirks = [] } = options
  const { request, losses: quirked } = applyQuirks(quirks, shownReasoning(named, from, to))
  const issuer = options.issuer ?? to.issuer
  const names = to.request.names(toolNames(request))
  const losses = createLosses()
  const upstream: EncodeContext = {
    ...commonContext(options),
    issuer: options.withoutSeals === true ? NOBODY : issuer,
    names,
    dialect: options.dialect,
    limits: options.limits,
    losses,
    toward: 'upstream',
  }
  const encoded = encodeRenames(quirks, to.request.encode(request, upstream))
  const facts: AnswerFacts = {
    names: names.changed,
    asked: { stop: asked.settings.stop, usage: delivery.usage, framing: options.match?.framing },
    hideReasoning: delivery.hideReasoning === true,
  }
  return {
    body: encoded,
    losses: composeLosses(quirked, losses.entries(), named),
    stream: delivery.stream === true,
    facts,
  }
}

/** What the upstream is asked: without what concerns the caller and us alone. */
function handedOn(asked: ModelRequest, model = asked.model): ModelRequest {
  // Usage is always asked for: the meter needs it, and the answer leaves it out where the caller did not ask.
  const delivery = asked.delivery.stream ? { stream: true, usage: true } : {}
  if (asked.routing === undefined) return { ...asked, model, delivery } // a rest would cost more than all of it
  const { routing, ...request } = asked
  return { ...request, model, delivery }
}

/** A seal domain that no card has, and so the issuer of no seal. */
const NOBODY = ''

/** A caller who sees reasoning unasked wants to see that of an upstream which must be asked for it. */
function shownReasoning(request: ModelRequest, from: Protocol, to: Protocol): ModelRequest {
  const { reasoning } = request
  if (reasoning === undefined || !from.request.showsReasoning || to.request.showsReasoning) return request
  if (reasoning.on === false || reasoning.effort === 'none' || reasoning.show !== undefined) return request
  return { ...request, reasoning: { ...reasoning, show: true } }
}

function refuseOrphans(request: ModelRequest, history: string): void {
  const orphan = findOrphan(request.messages)
  if (orphan === undefined) return
  const what =
    orphan.kind === 'call'
      ? `the tool call "${orphan.id}" has no result`
      : `the tool result for "${orphan.id}" has no call before it`
  throw new DragomanError('invalid-request', `${history}: ${what}.`, { param: history })
}

function toolNames(request: ModelRequest): Set<string> {
  const names = new Set<string>()
  for (const tool of request.tools ?? []) if (tool.type !== 'builtin') names.add(tool.name)
  for (const message of request.messages) {
    for (const part of message.parts) if (part.type === 'tool-call' && part.by === 'client') names.add(part.name)
  }
  return names
}

/** What a translation without a request may be told. */
export interface AnswerOptions extends Pick<TranslateOptions, 'issuer' | 'dialect' | 'id' | 'now'> {
  /** What the answer calls the model; the upstream's word when absent. */
  readonly model?: string | undefined
  /** What the caller asked for, where the answer's shape depends on it. */
  readonly asked?: Asked | undefined
}

/** Translates a whole answer that belongs to no request of ours: from the upstream's protocol to the caller's. */
export function translateResponse(
  from: Protocol,
  to: Protocol,
  body: object,
  options: AnswerOptions = {},
): TranslatedAnswer {
  const context = answerContext(to, options)
  const response = from.response.decode(jsonOf(body), {
    issuer: options.issuer ?? from.issuer,
    dialect: options.dialect,
  })
  const wire = readAnswer(() => to.response.encode(shown(response, { hide: false, model: options.model }), context))
  return { body: wire, losses: context.losses.entries(), usage: response.usage }
}

/** Translates a stream that belongs to no request of ours: push the upstream's bytes, the caller's text comes out of `write`. */
export function translateStream(
  from: Protocol,
  to: Protocol,
  write: Emit<string>,
  options: AnswerOptions = {},
): AnswerStream {
  const reading = { issuer: options.issuer ?? from.issuer, dialect: options.dialect }
  return createAnswerStream(to, from, write, reading, answerContext(to, options), { hide: false, model: options.model })
}

/** Translates an upstream's error: its meaning, in the status and the shape of the caller's protocol. */
export function translateError(
  from: Protocol,
  to: Protocol,
  status: number,
  body: string,
  requestId = '',
): { readonly status: number; readonly body: JsonObject } {
  return to.error.encode(from.error.decode(status, body), requestId)
}

function answerContext(to: Protocol, options: AnswerOptions): EncodeContext {
  const asked = { usage: true, ...options.asked }
  return { ...commonContext(options), issuer: to.issuer, losses: createLosses(), toward: 'client', asked }
}
