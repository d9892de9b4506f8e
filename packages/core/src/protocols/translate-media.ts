import { createLosses, type Loss, type Losses, type Path } from '../ir/loss.ts'
import type { Billed } from '../ir/billed.ts'
import type { MediaKind, MediaRequest } from '../ir/media-kind.ts'
import type { Modality } from '../ir/part.ts'
import type { JsonObject } from '../lib/json.ts'
import type { DecodeContext, Match } from './context.ts'
import { readAnswer, readRequest } from './read-body.ts'
import { locateIn, type Locate } from './locate.ts'
import { codecOf, type MediaCall, type MediaCodec, type MediaEncoding, type MediaProtocol } from './media.ts'
import type { Codec } from './protocol.ts'
import { reportLosses, type ReportedLoss } from './reported-loss.ts'
import { commonContext } from './translate-answer.ts'

/** Options of the translation of a request. */
export interface MediaTranslateOptions extends MediaAnswerOptions {
  /** The operation of the caller's path, from `http.match` of its protocol; by default that with the name of the kind. */
  readonly operation?: string | undefined
  /** The model in the path of the call, in protocols that have it there. */
  readonly match?: Pick<Match, 'model'> | undefined
  /** The upstream's name for the model; by default the caller's. */
  readonly model?: string | undefined
  /** What the model can do, from its card; by default everything that its protocol can express. */
  readonly facts?: object | undefined
  /** The kinds of content that the model accepts; by default every kind. */
  readonly accepts?: readonly Modality[] | undefined
  /** The estimated tokens of the request, for answers that count none. */
  readonly tokens?: number | undefined
}

/** A request in another protocol: usually one call, several if the model does less at once. */
export interface TranslatedMedia {
  /** The bodies, and the operations whose paths take them: see `http.target` of the protocol. */
  readonly calls: readonly MediaCall[]
  readonly losses: readonly ReportedLoss[]
  /** Whether the caller requested a stream; `emulated` if the upstream does not stream: `writeImageStream` makes one of its whole answer. */
  readonly stream: boolean | 'emulated'
  /** Whether the upstream takes the body of the caller as it is, except for the name of the model. */
  readonly isUnchanged: boolean
  readonly facts: MediaAnswerFacts
}

/** What the translation of the answer needs to know about its request. Plain data. */
export interface MediaAnswerFacts {
  /** The operation of the caller. */
  readonly operation: string
  /** The operation of the upstream calls. */
  readonly called: string
  /** What the kind needs to know. */
  readonly brief: unknown
}

/** Translates a request for media. It need not have been checked: one that cannot be read is refused. */
export function translateMediaRequest(
  kind: MediaKind,
  caller: MediaProtocol,
  upstream: MediaProtocol,
  given: JsonObject,
  options: MediaTranslateOptions = {},
): TranslatedMedia {
  const { operation = kind.name, match, dialect } = options
  const from = codecOf(kind, caller)
  const to = codecOf(kind, upstream)
  const check = (body: unknown): JsonObject => from.check(body, { operation })
  return readRequest(given, check, () => {
    const body = check(given)
    const losses = createLosses()
    const locate = locateFor(from, body, operation)
    const find = (path: Path): Path => locate(path, 'dropped')
    const asked = from.decode(body, { issuer: caller.issuer, path: match, operation })
    const isSameProtocol = caller.name === upstream.name
    const fitted = kind.fit(asked, {
      facts: options.facts,
      accepts: options.accepts ?? EVERY_KIND,
      takes: to.takes?.(dialect) ?? [],
      isSameProtocol,
      losses,
      locate: find,
    })
    const stream = streamOf(kind, fitted, options.facts, to)
    const whole = stream === 'emulated' ? (kind.stream?.asWhole(fitted, losses) ?? fitted) : fitted
    const parts = splitMedia(kind, whole, options.facts, options.model ?? asked.model)
    const isUnchanged =
      isSameProtocol && parts.length === 1 && losses.entries().length === 0 && isSameRequest(kind, asked, whole)
    const context = {
      ...commonContext(options),
      issuer: upstream.issuer,
      dialect,
      toward: 'upstream',
      caller: caller.name,
    } as const
    const calls = encodeMedia(kind, parts, options.facts, losses, (part, ofPart) =>
      to.encode(part, { ...context, losses: ofPart }),
    )
    kind.refuse?.(losses, find)
    const called = calls[0]?.operation ?? operation
    return {
      calls: calls.map(({ own: _, ...call }) => call),
      losses: reportLosses([...losses.entries(), ...calls.flatMap(({ own = [] }) => own)], locate),
      stream,
      isUnchanged: isUnchanged && to.relays?.(operation, dialect) !== false && called === operation,
      facts: { operation, called, brief: kind.brief(fitted, asked, parts, options.tokens ?? 0, options.facts) },
    }
  })
}

const EVERY_KIND: readonly Modality[] = ['text', 'image', 'video', 'audio', 'file']

/** Where the body of a caller has the values of its request. */
export function locateFor(codec: MediaCodec, body: JsonObject, operation: string): Locate {
  if (codec.sites !== undefined) return locateIn(codec.sites, body)
  return (path) => codec.locate?.(path, body, operation) ?? path
}

/** Whether an answer is a stream; `emulated` if it must be made of a whole answer. */
export function streamOf(
  { stream }: MediaKind,
  request: MediaRequest,
  facts: object | undefined,
  upstream: MediaCodec | undefined,
): boolean | 'emulated' {
  if (stream?.isAsked(request) !== true) return false
  const isAble = upstream?.stream !== undefined && (facts === undefined || stream.isAble(facts))
  return isAble || 'emulated'
}

/** The requests of one upstream call each, with the upstream's name for the model. */
export function splitMedia(
  kind: MediaKind,
  request: MediaRequest,
  facts: object | undefined,
  model: string,
): readonly MediaRequest[] {
  const parts = facts === undefined ? undefined : kind.split?.(request, facts)
  return (parts ?? [request]).map((part) => ({ ...part, model }))
}

/** The losses of a later call that the first does not have. */
export interface OwnLosses {
  readonly own?: readonly Loss[]
}

/** The upstream calls for the requests that one was split into. The losses of the first are kept, and those that only later ones have. */
export function encodeMedia<Call extends MediaCall>(
  kind: MediaKind,
  parts: readonly MediaRequest[],
  facts: object | undefined,
  losses: Losses,
  encode: (part: MediaRequest, losses: Losses) => Call,
): readonly (Call & OwnLosses)[] {
  return parts.map((part, index) => {
    if (index === 0) return encode(part, losses)
    const ofPart = createLosses()
    const call = encode(part, ofPart)
    const own = ofPart.entries().flatMap((loss) => {
      const path = kind.later?.(loss.path, index, facts ?? {})
      return path === undefined ? [] : { ...loss, path }
    })
    return own.length === 0 ? call : { ...call, own }
  })
}

/** Whether a fitted request is as it was. */
export function isSameRequest(kind: MediaKind, asked: MediaRequest, fitted: MediaRequest): boolean {
  if (asked === fitted) return true
  return kind.isUnchanged?.(asked, fitted) ?? hasSameMembers(asked, fitted, isSameMember)
}

/** To the second level. Large values are compared by identity. */
function isSameMember(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  return hasSameMembers(left, right, Object.is)
}

function hasSameMembers(left: object, right: object, isEqual: (left: unknown, right: unknown) => boolean): boolean {
  const [one, other] = [membersOf(left), membersOf(right)]
  return one.size === other.size && [...one].every(([key, value]) => other.has(key) && isEqual(value, other.get(key)))
}

/** An undefined member is absent. */
function membersOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined))
}

/** Options of the translation of an answer. */
export interface MediaAnswerOptions {
  /** The name of the model in the answer; by default the upstream's. */
  readonly answerModel?: string | undefined
  /** The upstream's differences from its protocol. */
  readonly dialect?: JsonObject | undefined
  readonly id?: (() => string) | undefined
  /** Unix seconds. */
  readonly now?: number | undefined
}

/** An answer in the caller's protocol. */
export interface TranslatedMediaAnswer {
  readonly body: JsonObject
  readonly losses: readonly ReportedLoss[]
  /** What it is billed for, with its usage. */
  readonly billed: Billed | undefined
}

/**
 * Translates the whole answers to the calls of a request, in their order. If all images were blocked, some protocols have an error for
 * that, which is thrown.
 */
export function translateMediaAnswer(
  kind: MediaKind,
  caller: MediaProtocol,
  upstream: MediaProtocol,
  bodies: readonly JsonObject[],
  facts: MediaAnswerFacts,
  options: MediaAnswerOptions = {},
): TranslatedMediaAnswer {
  const reading = { issuer: upstream.issuer, dialect: options.dialect }
  const answers = bodies.map((body) => decodeMedia(kind, upstream, body, facts, reading))
  const { body, losses, billed } = writeMedia(kind, caller, joinMedia(kind, answers, facts), facts, options)
  return { body, losses: reportLosses(losses), billed }
}

/** The answer to one upstream call. Whatever its shape, the worst result is one clear error. */
export function decodeMedia(
  kind: MediaKind,
  upstream: MediaProtocol,
  body: JsonObject,
  { called }: MediaAnswerFacts,
  context: DecodeContext,
): unknown {
  return readAnswer(() => codecOf(kind, upstream).answer.decode(body, { ...context, operation: called }))
}

/** The same for a model that has answered in a conversation. */
export function decodeTurn(
  { conversation }: MediaKind,
  upstream: Codec,
  body: JsonObject,
  context: DecodeContext,
  losses: Losses,
): unknown {
  return readAnswer(() => conversation?.decode(upstream.response.decode(body, context), losses))
}

/** The answers of all upstream calls as one. */
export function joinMedia(kind: MediaKind, answers: readonly unknown[], { brief }: MediaAnswerFacts): unknown {
  return kind.join === undefined ? answers[0] : kind.join(answers, brief)
}

/** An answer for the caller, in its protocol. */
export function writeMedia(
  kind: MediaKind,
  caller: MediaProtocol,
  answer: unknown,
  facts: MediaAnswerFacts,
  options: MediaAnswerOptions,
): { readonly body: JsonObject; readonly losses: readonly Loss[]; readonly billed: Billed | undefined } {
  const codec = codecOf(kind, caller)
  const losses = createLosses()
  const named = codec.namesModel === true ? { model: options.answerModel } : undefined
  const whole = kind.complete?.(answer, facts.brief, named) ?? answer
  const body = readAnswer(() => codec.answer.encode(whole, { ...writingMedia(kind, caller, facts, options), losses }))
  return { body, losses: losses.entries(), billed: kind.bill(whole, facts.brief) }
}

/** What encoders of answers need to know. */
export function writingMedia(
  kind: MediaKind,
  { issuer }: MediaProtocol,
  { operation, brief }: MediaAnswerFacts,
  options: MediaAnswerOptions,
): Omit<MediaEncoding, 'losses'> {
  return { ...commonContext(options), issuer, toward: 'client', operation, ...kind.requested?.(brief) }
}
