import { DragomanError, isObject, parseJson, type Losses } from '@dragoman/core'
import { isErrorBody } from '@dragoman/core/protocols'
import { dialectOf } from '@dragoman/core/provider'
import type { ErrorInside } from '../bodies/answer-work.ts'
import { shortenAnswer } from '../bodies/long-strings.ts'
import { present } from '../bodies/request-work.ts'
import type { ShortBody } from '../bodies/short-body.ts'
import { decodeText } from '../collect.ts'
import type { Route } from '../route.ts'
import { codecOf } from './media-codec.ts'
import type { PreparedMedia } from './prepared-media.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** An upstream's answer in the IR. Its long strings have stand-ins. */
export interface MediaAnswer<Answer> {
  readonly answer: Answer
  readonly short: ShortBody
}

/** Reads the whole answer of an upstream. */
export function readMediaAnswer<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  { card, protocol }: Pick<Route, 'card' | 'protocol'>,
  { mode, operation }: PreparedMedia,
  bytes: Uint8Array,
  losses: Losses,
): MediaAnswer<Answer> | ErrorInside {
  const short = shortenAnswer(bytes)
  const text = decodeText(short.bytes)
  const body = parseJson(text)
  if (!isObject(body)) throw new DragomanError('upstream', 'The upstream gave an answer that is not a JSON object.')
  if (isErrorBody(body)) return { error: text }
  const reading = { issuer: card.issuer ?? protocol.issuer, dialect: dialectOf(card, protocol.name) }
  const answer =
    mode === 'conversation'
      ? present(rules.conversation).decode(protocol.response.decode(body, reading), losses)
      : codecOf(rules, protocol).answer.decode(body, { ...reading, operation })
  return { answer, short }
}
