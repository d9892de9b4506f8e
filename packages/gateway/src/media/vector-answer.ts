import { DragomanError, isObject, parseJson, type JsonObject, type Protocol } from '@dragoman/core'
import { translateEmbeddingAnswer } from '@dragoman/core/media'
import { joinBytes } from '@dragoman/core/provider'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import { decodeText } from '../collect.ts'
import { vectorCodec } from './embedding-work.ts'
import type { VectorTranslation } from './vector-translation.ts'

/** The upstream's own bytes with the model's name edited, after a check that they are an answer. */
export function relayVectorAnswer(
  protocol: Protocol,
  model: string | undefined,
  bytes: Uint8Array,
): Outgoing | ErrorInside {
  const tap = vectorCodec(protocol).tap({ stream: false, model })
  const passed = tap.push(bytes)
  const { usage, complete, isError, rest } = tap.end()
  if (isError === true) return { error: decodeText(bytes) }
  if (!complete) throw new DragomanError('upstream', 'The upstream gave an answer that cannot be read.')
  const edited = joinBytes([passed, rest].filter((piece) => piece !== undefined))
  return { body: edited, usage, losses: [], ...(usage?.input === undefined ? { uncounted: 0 } : {}) }
}

/** One answer in the caller's protocol, from the answers to all calls of a request. */
export function translateVectorAnswers(
  caller: Protocol,
  upstream: Protocol,
  { facts, options }: VectorTranslation,
  answers: readonly Uint8Array[],
): Outgoing | ErrorInside {
  const bodies: JsonObject[] = []
  for (const bytes of answers) {
    const read = readVectors(bytes)
    if ('error' in read) return read
    bodies.push(read.body)
  }
  const { body, usage, losses } = translateEmbeddingAnswer(caller, upstream, bodies, facts, options)
  return { body: JSON.stringify(body), usage, losses }
}

/** The object in the bytes of an answer, or the error that it is. */
export function readVectors(bytes: Uint8Array): { readonly body: JsonObject } | ErrorInside {
  const text = decodeText(bytes)
  const body = parseJson(text)
  if (!isObject(body)) throw new DragomanError('upstream', 'The upstream gave an answer that is not a JSON object.')
  // No protocol has an `error` member beside an answer.
  return body['error'] == null ? { body } : { error: text }
}
