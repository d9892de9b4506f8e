import type { EmbeddingAnswerFacts } from '@dragoman/core/media'
import type { Call } from '@dragoman/core/provider'
import { offloadFor } from '../bodies/offload.ts'
import { present, type Prepared } from '../bodies/request-work.ts'
import type { Handler } from '../modes/handler.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import { answerModel, answerOptions } from '../route-facts.ts'
import type { MediaFacts } from './media-work.ts'
import { noStream } from './no-stream.ts'
import { relayVectorAnswer, translateVectorAnswers } from './vector-answer.ts'
import type { VectorTranslation } from './vector-translation.ts'

/** Relays the bytes of an answer, with the name of the model that the caller asked for. */
export function relayVectors(call: OperationCall<MediaFacts>, route: Route, upstreamCall: Call): Handler {
  const { settings, exchange, match, body } = call
  const { protocol: caller } = exchange
  return {
    ...common(call, route, upstreamCall),
    whole(bytes) {
      const model = answerModel(route, match, body.peek)
      const thread = offloadFor(settings.offload, bytes.length, [caller])
      return thread?.answer({ mode: 'relay-vectors', caller, model }, bytes) ?? relayVectorAnswer(caller, model, bytes)
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
    whole: (bytes) => writeVectors(call, route, prepared, [bytes]),
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

/** The answers to the calls of a request, for the caller. Large ones are translated by another thread. */
export function writeVectors(
  { settings, exchange, match, body: { peek, promptTokens = 0 } }: OperationCall<MediaFacts>,
  route: Route,
  { media }: Prepared,
  answers: readonly Uint8Array[],
): ReturnType<Handler['whole']> {
  const { protocol: caller } = exchange
  const { protocol: upstream } = route
  const translation: VectorTranslation = {
    facts: present(media).asked as EmbeddingAnswerFacts, // by the work of the same kind
    options: {
      ...answerOptions(route, settings),
      answerModel: answerModel(route, match, peek),
      usage: { input: promptTokens, estimated: true },
    },
  }
  const size = answers.reduce((sum, { length }) => sum + length, 0)
  const thread = offloadFor(settings.offload, size, [caller, upstream])
  const task = { mode: 'translate-vectors', caller, upstream, translation } as const
  return thread?.answer(task, ...answers) ?? translateVectorAnswers(caller, upstream, translation, answers)
}
