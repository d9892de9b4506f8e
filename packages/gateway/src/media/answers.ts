import {
  createLosses,
  type AnswerTranslatorOptions,
  type JsonObject,
  type Loss,
  type Losses,
  type Protocol,
} from '@dragoman/core'
import { decodeMedia, decodeTurn, joinMedia, writeMedia, type MediaKind } from '@dragoman/core/media'
import { isErrorBody } from '@dragoman/core/protocols'
import { joinBody, type Bytes } from '@dragoman/core/provider'
import { parseAnswer, type ErrorInside, type Outgoing } from '../bodies/answer-work.ts'
import { shortenAnswer } from '../bodies/long-strings.ts'
import type { ShortBody } from '../bodies/short-body.ts'
import { decodeText } from '../ports/collect.ts'
import type { PreparedMedia } from './prepared-media.ts'

/** Upstreams' answers in the IR, as one. */
export interface ReadAnswer {
  readonly answer: unknown
  /** Puts back long strings that have stand-ins in the answer. */
  readonly short?: ShortBody | undefined
}

/** Translates the answers to all upstream calls of a request. */
export function translateAnswers(
  kind: MediaKind,
  caller: Protocol,
  upstream: Protocol,
  media: PreparedMedia,
  options: AnswerTranslatorOptions,
  answers: readonly Uint8Array[],
): Outgoing | ErrorInside {
  const losses = createLosses()
  const read = readAnswers(kind, upstream, media, options, answers, losses)
  return 'error' in read ? read : writeAnswer(kind, caller, media, options, read, losses.entries())
}

/** Reads the answers to all upstream calls of a request. Only the losses of the first are reported: the others have the same. */
export function readAnswers(
  kind: MediaKind,
  upstream: Protocol,
  media: PreparedMedia,
  options: AnswerTranslatorOptions,
  answers: readonly Uint8Array[],
  losses: Losses,
): ReadAnswer | ErrorInside {
  const found: ReadAnswer[] = []
  for (const bytes of answers) {
    const read = readOne(kind, upstream, media, options, bytes, found.length === 0 ? losses : createLosses())
    if ('error' in read) return read
    found.push(read)
  }
  const [first] = found
  if (found.length === 1 && first !== undefined) return { ...first, answer: joinMedia(kind, [first.answer], media) }
  const whole = found.map(({ answer, short }) => short?.restore(answer) ?? answer)
  return { answer: joinMedia(kind, whole, media) }
}

function readOne(
  kind: MediaKind,
  upstream: Protocol,
  media: PreparedMedia,
  { issuer = upstream.issuer, dialect }: AnswerTranslatorOptions,
  bytes: Uint8Array,
  losses: Losses,
): ReadAnswer | ErrorInside {
  const short = kind.hasFiles === true ? shortenAnswer(bytes) : undefined
  const text = decodeText(short?.bytes ?? bytes)
  const body = parseAnswer(text)
  if (isErrorBody(body)) return { error: text }
  const reading = { issuer, dialect }
  const answer =
    media.mode === 'conversation'
      ? decodeTurn(kind, upstream, body, reading, losses)
      : decodeMedia(kind, upstream, body, media, reading)
  return { answer, short }
}

/** An answer for the caller, in its protocol. */
export function writeAnswer(
  kind: MediaKind,
  caller: Protocol,
  media: PreparedMedia,
  options: AnswerTranslatorOptions,
  { answer, short }: ReadAnswer,
  before: readonly Loss[],
): Outgoing {
  const { body, losses, billed } = writeMedia(kind, caller, answer, media, options)
  return { body: textOf(body, short), usage: billed, losses: before.length === 0 ? losses : [...before, ...losses] }
}

function textOf(wire: JsonObject, short: ShortBody | undefined): Bytes {
  const text = JSON.stringify(wire)
  return short === undefined ? text : joinBody(short.fill(text))
}
