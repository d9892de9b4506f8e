import { DragomanError, isObject, parseJson, type JsonObject } from '@dragoman/core'
import { translateEmbeddingAnswer, type EmbeddingAnswerFacts } from '@dragoman/core/media'
import { joinBytes, type Call } from '@dragoman/core/provider'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import { present, type Prepared } from '../bodies/request-work.ts'
import { decodeText } from '../collect.ts'
import type { Handler } from '../modes/handler.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import { answerModel, answerOptions } from '../route-facts.ts'
import { vectorCodec } from './embedding-work.ts'
import type { MediaFacts } from './media-work.ts'
import { noStream } from './no-stream.ts'

/** Relays the bytes of an answer, with the name of the model that the caller asked for. */
export function relayVectors(call: OperationCall<MediaFacts>, route: Route, upstreamCall: Call): Handler {
  const { exchange, match, body } = call
  const { protocol } = exchange
  return {
    ...common(call, route, upstreamCall),
    whole(bytes) {
      const tap = vectorCodec(protocol).tap({ stream: false, model: answerModel(route, match, body.peek) })
      const passed = tap.push(bytes)
      const { usage, complete, isError, rest } = tap.end()
      if (isError === true) return { error: decodeText(bytes) }
      if (!complete) throw new DragomanError('upstream', 'The upstream gave an answer that cannot be read.')
      const edited = joinBytes([passed, rest].filter((piece) => piece !== undefined))
      return { body: edited, usage, losses: [], ...(usage?.input === undefined ? { uncounted: 0 } : {}) }
    },
  }
}

/** Translates the answer to a translated request. */
export function translateVectors(
  call: OperationCall<MediaFacts>,
  route: Route,
  prepared: Prepared,
  upstreamCall: Call,
): Handler {
  return {
    ...common(call, route, upstreamCall),
    whole(bytes) {
      const read = readVectors(bytes)
      return 'error' in read ? read : writeVectors(call, route, prepared, [read.body])
    },
  }
}

/** What the handlers of all answers have. */
export function common(
  { exchange: { protocol }, body }: OperationCall<MediaFacts>,
  route: Route,
  upstreamCall: Call,
): Pick<Handler, 'call' | 'streamType' | 'error' | 'stream' | 'pricing'> {
  return {
    call: upstreamCall,
    streamType: '',
    error: (status, text) => route.protocol.error.decode(status, text),
    stream: noStream,
    pricing: body.peek.cost === true ? protocol.relay.pricing : undefined,
  }
}

/** The object in the bytes of an answer, or the error that it is. */
export function readVectors(bytes: Uint8Array): { readonly body: JsonObject } | ErrorInside {
  const text = decodeText(bytes)
  const body = parseJson(text)
  if (!isObject(body)) throw new DragomanError('upstream', 'The upstream gave an answer that is not a JSON object.')
  // No protocol has an `error` member beside an answer.
  return body['error'] == null ? { body } : { error: text }
}

/** The answers to the calls of a request, for the caller. */
export function writeVectors(
  { settings, exchange, match, body: { peek, promptTokens = 0 } }: OperationCall<MediaFacts>,
  route: Route,
  { media }: Prepared,
  bodies: readonly JsonObject[],
): Outgoing {
  const facts = present(media).asked as EmbeddingAnswerFacts // by the work of the same kind
  const { body, usage, losses } = translateEmbeddingAnswer(exchange.protocol, route.protocol, bodies, facts, {
    ...answerOptions(route, settings),
    answerModel: answerModel(route, match, peek),
    usage: { input: promptTokens, estimated: true },
  })
  return { body: JSON.stringify(body), usage, losses }
}
