import {
  createLosses,
  DragomanError,
  type AnswerTranslatorOptions,
  type JsonObject,
  type Loss,
  type Losses,
  type Protocol,
} from '@dragoman/core'
import type { MediaEncoding } from '@dragoman/core/media'
import { isErrorBody } from '@dragoman/core/protocols'
import { joinBody, type Bytes } from '@dragoman/core/provider'
import { parseAnswer, type ErrorInside, type Outgoing } from '../bodies/answer-work.ts'
import { shortenAnswer } from '../bodies/long-strings.ts'
import { present } from '../bodies/request-work.ts'
import type { ShortBody } from '../bodies/short-body.ts'
import { decodeText } from '../ports/collect.ts'
import { randomId } from '../ports/ports.ts'
import { codecOf } from './media-codec.ts'
import type { PreparedMedia } from './prepared-media.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** Upstreams' answers in the IR, as one. */
export interface ReadAnswer<Answer> {
  readonly answer: Answer
  /** Puts back long strings that have stand-ins in the answer. */
  readonly short?: ShortBody | undefined
}

/** Translates the answers to all upstream calls of a request. */
export function translateAnswers<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  caller: Protocol,
  upstream: Protocol,
  media: PreparedMedia<Request, Brief>,
  options: AnswerTranslatorOptions,
  answers: readonly Uint8Array[],
): Outgoing | ErrorInside {
  const losses = createLosses()
  const read = readAnswers(rules, upstream, media, options, answers, losses)
  return 'error' in read ? read : writeAnswer(rules, caller, media, options, read, losses.entries())
}

/** Reads the answers to all upstream calls of a request. Only the losses of the first are reported: the others have the same. */
export function readAnswers<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  upstream: Protocol,
  media: PreparedMedia<Request, Brief>,
  options: AnswerTranslatorOptions,
  answers: readonly Uint8Array[],
  losses: Losses,
): ReadAnswer<Answer> | ErrorInside {
  const found: ReadAnswer<Answer>[] = []
  for (const bytes of answers) {
    const read = readOne(rules, upstream, media, options, bytes, found.length === 0 ? losses : createLosses())
    if ('error' in read) return read
    found.push(read)
  }
  const [first] = found
  if (found.length === 1 && first !== undefined) return { ...first, answer: joined(rules, media, [first.answer]) }
  return {
    answer: joined(
      rules,
      media,
      found.map(({ answer, short }) => short?.restore(answer) ?? answer),
    ),
  }
}

function readOne<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  upstream: Protocol,
  { mode, called }: PreparedMedia<Request, Brief>,
  { issuer = upstream.issuer, dialect }: AnswerTranslatorOptions,
  bytes: Uint8Array,
  losses: Losses,
): ReadAnswer<Answer> | ErrorInside {
  const short = rules.hasFiles === true ? shortenAnswer(bytes) : undefined
  const text = decodeText(short?.bytes ?? bytes)
  const body = parseAnswer(text)
  if (isErrorBody(body)) return { error: text }
  const reading = { issuer, dialect }
  const answer = readAnswer(() =>
    mode === 'conversation'
      ? present(rules.conversation).decode(upstream.response.decode(body, reading), losses)
      : codecOf(rules, upstream).answer.decode(body, { ...reading, operation: called }),
  )
  return { answer, short }
}

/** The answers of several calls as one. */
export function joined<Request extends MediaRequest, Answer, Brief>(
  { join }: MediaRules<Request, Answer, Brief>,
  { brief }: PreparedMedia<Request, Brief>,
  answers: readonly Answer[],
): Answer {
  return join === undefined ? present(answers[0]) : join(answers, brief)
}

/** An answer for the caller, in its protocol. */
export function writeAnswer<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  caller: Protocol,
  media: PreparedMedia<Request, Brief>,
  options: AnswerTranslatorOptions,
  { answer, short }: ReadAnswer<Answer>,
  before: readonly Loss[],
): Outgoing {
  const { brief } = media
  const losses = createLosses()
  const context = { ...writingFor(rules, caller, media, options), losses }
  const whole = rules.complete?.(answer, brief, caller, options.answerModel) ?? answer
  const wire = readAnswer(() => codecOf(rules, caller).answer.encode(whole, context))
  return {
    body: textOf(wire, short),
    usage: rules.bill(whole, brief),
    losses: before.length === 0 ? losses.entries() : [...before, ...losses.entries()],
  }
}

/** What encoders of answers need to know. */
export function writingFor<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  { issuer }: Protocol,
  { operation, brief }: PreparedMedia<Request, Brief>,
  { id = randomId, now = 0 }: AnswerTranslatorOptions,
): Omit<MediaEncoding, 'losses'> {
  return { issuer, toward: 'client', id, now, operation, ...rules.requested?.(brief) }
}

function textOf(wire: JsonObject, short: ShortBody | undefined): Bytes {
  const text = JSON.stringify(wire)
  return short === undefined ? text : joinBody(short.fill(text))
}

/** Whatever the shape of an answer, the worst result is one clear error. */
function readAnswer<T>(read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    if (DragomanError.isInstance(thrown)) throw thrown
    throw new DragomanError('upstream', 'The upstream sent an answer that does not match its protocol.', {
      cause: thrown,
    })
  }
}
