import { DragomanError } from '../ir/error.ts'
import type { FindFeatures } from '../ir/feature.ts'
import { createLosses } from '../ir/loss.ts'
import { findOrphan } from '../ir/pairs.ts'
import type { RequestQuirks } from '../ir/quirk.ts'
import { isReasoningOff } from '../ir/reasoning.ts'
import type { ModelRequest } from '../ir/request.ts'
import type { Emit } from '../ir/stream.ts'
import { customNames } from '../ir/tool.ts'
import type { Accepted } from '../lib/literal.ts'
import { defined } from '../lib/members.ts'
import type { JsonObject } from '../lib/json.ts'
import { createAnswerStream, type AnswerStream, type Showing } from './answer-stream.ts'
import { LazyReport, nameUnknown, reportLosses, type ReportedLoss } from './reported-loss.ts'
import { readRequest } from './read-body.ts'
import { createLocate } from './locate.ts'
import type { Asked, DecodeContext, EncodeContext, Limits, Match } from './context.ts'
import type { Codec, FillLinks } from './protocol.ts'
import {
  commonContext,
  encodeAnswer,
  jsonOf,
  translateAnswer,
  type AnswerFacts,
  type AnswerTranslator,
  type Body,
  type TranslatedAnswer,
} from './translate-answer.ts'

/** Options of a translation. */
export interface TranslateOptions {
  /** The upstream's name for the model; by default the caller's. */
  readonly model?: string | undefined
  /** The name of the model in the response; by default the upstream's. */
  readonly answerModel?: string | undefined
  /** The seal domain of the target model; by default the native one of its protocol. */
  readonly issuer?: string | undefined
  /** Sends no seal of the history, not even its own: the upstream has refused one of them. */
  readonly withoutSeals?: boolean | undefined
  readonly limits?: Limits | undefined
  /** The upstream's differences from its protocol. */
  readonly dialect?: JsonObject | undefined
  /** How requests to the upstream differ: `prepareQuirks` of `@dragoman/core/provider`, with the quirks of a card. */
  readonly quirks?: RequestQuirks | undefined
  /** Names the features that are lost: `findFeatures` of `@dragoman/core/provider`. */
  readonly features?: FindFeatures | undefined
  /** Puts files in place of URLs that the upstream does not open: `fillLinks` of `@dragoman/core/provider`. */
  readonly links?: FillLinks | undefined
  /** Whether the upstream opens URLs of media, from its card; by default as its protocol says. */
  readonly urls?: boolean | undefined
  readonly id?: (() => string) | undefined
  /** Unix seconds. */
  readonly now?: number | undefined
  /** The values in the path of the call: the model, a stream, its framing. */
  readonly match?: Pick<Match, 'model' | 'stream' | 'framing'> | undefined
}

/** A request on its way to another protocol, and the translator of its answer: `Sent` goes out, `Received` comes back. */
export interface Translation<
  Sent extends object = object,
  Received extends object = object,
  Answered extends object = object,
>
  extends TranslatedRequest<Sent>, AnswerTranslator<Received, Answered> {}

/** A request for another protocol. */
export interface TranslatedRequest<Sent extends object = object> {
  readonly body: Body<Sent>
  readonly losses: readonly ReportedLoss[]
  /** What the caller requested. */
  readonly stream: boolean
  /** What `translateAnswer` needs to translate the response in another thread, or after the request is released. */
  readonly facts: AnswerFacts
}

/**
 * Translates a request from the protocol of its caller to that of its upstream. It need not have been checked: one that cannot be
 * read is refused.
 */
export function translate<Given extends object, Answered extends object, Sent extends object, Received extends object>(
  caller: Codec<Given, Answered>,
  upstream: Codec<Sent, Received>,
  body: Accepted<NoInfer<Given>>,
  options: TranslateOptions = {},
): Translation<Sent, Received, Answered> {
  const request = translateRequest(caller, upstream, body, options)
  // Not spread: its losses are a getter.
  return Object.assign(request, translateAnswer(caller, upstream, request.facts, options))
}

/** The same without a translator for the response: `translateAnswer` creates one from the facts. */
export function translateRequest<Given extends object, Sent extends object>(
  caller: Codec<Given>,
  upstream: Codec<Sent>,
  body: Accepted<NoInfer<Given>>,
  options: TranslateOptions = {},
): TranslatedRequest<Sent> {
  const given = jsonOf(body)
  return readRequest(
    given,
    (unread) => caller.request.check(unread),
    () => encodeFor(caller, upstream, given, options),
  )
}

function encodeFor<Sent extends object>(
  caller: Codec,
  upstream: Codec<Sent>,
  given: JsonObject,
  options: TranslateOptions,
): TranslatedRequest<Sent> {
  const read = caller.request.decode(given, { issuer: caller.issuer, path: options.match })
  const asked = options.links?.(read, caller, given) ?? read
  refuseOrphans(asked, caller.request.history)
  const { delivery } = asked
  const named = handedOn(asked, options.model)
  const { quirks } = options
  const shown = shownReasoning(named, delivery.hideReasoning, caller, upstream)
  const quirked = quirks?.apply(shown)
  const { request } = quirked ?? { request: shown }
  const issuer = options.issuer ?? upstream.issuer
  const names = upstream.request.names(toolNames(request), options.dialect)
  const losses = createLosses()
  const context: EncodeContext = {
    ...commonContext(options),
    issuer: options.withoutSeals === true ? NO_ISSUER : issuer,
    names,
    dialect: options.dialect,
    limits: options.limits,
    urls: options.urls,
    losses,
    toward: 'upstream',
    caller: caller.name,
  }
  const wire = upstream.request.encode(request, context)
  const encoded = quirks === undefined ? wire : quirks.rename(wire)
  caller.request.refuse?.(request, losses, given)
  const facts: AnswerFacts = {
    names: names.changed,
    custom: customNames(asked.tools),
    asked: {
      model: asked.model,
      stop: asked.settings.stop,
      usage: delivery.usage,
      framing: options.match?.framing,
      echo: caller.request.echo?.(given),
      textOnly: caller.request.readsOnlyTexts?.(given) === true ? true : undefined,
    },
    hideReasoning: delivery.hideReasoning === true,
  }
  const { sites, words } = caller.request
  const report = () => {
    const entries = quirked?.report(losses.entries(), named) ?? losses.entries()
    const found = words === undefined ? entries : nameUnknown(entries, words)
    return reportLosses(found, sites && createLocate(sites, given), options.features?.(found, named))
  }
  // Renames are what this upstream has for a body of its protocol.
  return Object.assign(new LazyReport(report), { body: encoded as Body<Sent>, stream: delivery.stream === true, facts })
}

/** The request for the upstream: without members that concern only the caller and the gateway. */
function handedOn(asked: ModelRequest, model = asked.model): ModelRequest {
  // Usage is always requested for metering, and left out of the response if the caller did not request it.
  const { stream, obfuscation } = asked.delivery
  const delivery = stream ? defined({ stream, usage: true, obfuscation }) : {}
  if (asked.routing === undefined) return { ...asked, model, delivery } // a rest spread would cost more than all of it
  const { routing, ...request } = asked
  return { ...request, model, delivery }
}

/** A seal domain that no card has, and so the issuer of no seal. */
const NO_ISSUER = ''

/**
 * A caller that sees reasoning by default also wants to see that of an upstream that must be asked for it. If it is to be left out, an
 * upstream of another protocol leaves out the text itself, and signs the reasoning without it; one of chat would leave out the seals too.
 */
function shownReasoning(
  request: ModelRequest,
  hide: boolean | undefined,
  caller: Codec,
  upstream: Codec,
): ModelRequest {
  const { reasoning } = request
  if (reasoning === undefined || isReasoningOff(reasoning) || reasoning.show !== undefined) return request
  const isAsked = hide
    ? caller.name !== upstream.name
    : caller.request.showsReasoning && !upstream.request.showsReasoning
  return isAsked ? { ...request, reasoning: { ...reasoning, show: !hide } } : request
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

/** A tool that is called has its name there again. */
function toolNames(request: ModelRequest): string[] {
  const names: string[] = []
  for (const tool of request.tools ?? []) if (tool.type !== 'builtin') names.push(tool.name)
  for (const message of request.messages) {
    for (const part of message.parts) if (part.type === 'tool-call' && part.by === 'client') names.push(part.name)
  }
  return names
}

/** Options of a translation without a request. */
export interface AnswerOptions extends Pick<TranslateOptions, 'issuer' | 'dialect' | 'id' | 'now'> {
  /** The name of the model in the response; by default the upstream's. */
  readonly model?: string | undefined
  /** Options of the caller that affect the response. */
  readonly asked?: Asked | undefined
}

/** Translates a whole response without its request: from the upstream's protocol to the caller's. */
export function translateResponse<Answered extends object, Received extends object>(
  caller: Codec<object, Answered>,
  upstream: Codec<object, Received>,
  body: Accepted<NoInfer<Received>>,
  options: AnswerOptions = {},
): TranslatedAnswer<Answered> {
  const context = answerContext(caller, options)
  const given = jsonOf(body)
  const response = upstream.response.decode(given, reading(caller, upstream, options))
  return encodeAnswer(caller, response, upstream.response.terms?.(given), showingOf(options), context)
}

/** Translates a stream without its request: push the upstream's bytes, and `write` receives the caller's text. */
export function translateStream(
  caller: Codec,
  upstream: Codec,
  write: Emit<string>,
  options: AnswerOptions = {},
): AnswerStream {
  return createAnswerStream(
    caller,
    upstream,
    write,
    reading(caller, upstream, options),
    answerContext(caller, options),
    showingOf(options),
  )
}

function showingOf({ model, asked }: AnswerOptions): Showing {
  return { hide: false, model, requested: asked?.model }
}

/** Translates an upstream's error to the status and the shape of the caller's protocol. */
export function translateError(
  caller: Codec,
  upstream: Codec,
  status: number,
  body: string,
  requestId = '',
): { readonly status: number; readonly body: JsonObject } {
  return caller.error.encode(upstream.error.decode(status, body), requestId)
}

function reading(caller: Codec, upstream: Codec, options: AnswerOptions): DecodeContext {
  const { issuer = upstream.issuer, dialect } = options
  return { issuer, dialect, caller: caller.name }
}

function answerContext(caller: Codec, options: AnswerOptions): EncodeContext {
  const asked = { usage: true, ...options.asked }
  return { ...commonContext(options), issuer: caller.issuer, losses: createLosses(), toward: 'client', asked }
}
