import {
  DragomanError,
  isObject,
  translateAnswer,
  type AnswerFacts,
  type AnswerTranslatorOptions,
  type JsonObject,
  type Loss,
  type Protocol,
  type Usage,
} from '@dragoman/core'
import type { Bytes } from '@dragoman/core/provider'
import { decodeText } from '../collect.ts'

/** A whole answer for the client. */
export interface Outgoing {
  readonly body: Bytes
  readonly usage?: Usage | undefined
  readonly losses: readonly Loss[]
}

/** The text of an error with a success status. */
export interface ErrorInside {
  readonly error: string
}

/** The upstream's own bytes with the model's name edited, after a check that they are an answer. */
export function relayAnswer(protocol: Protocol, model: string | undefined, bytes: Uint8Array): Outgoing | ErrorInside {
  const tap = protocol.relay.tap({ stream: false, model })
  const passed = tap.push(bytes)
  const { usage, complete, isError, rest } = tap.end()
  if (isError === true) return { error: decodeText(bytes) }
  if (!complete) throw new DragomanError('upstream', 'The upstream gave an answer that cannot be read.')
  return { body: joined(passed, rest), usage, losses: [] }
}

/** A response in the caller's protocol. */
export function translateWhole(
  caller: Protocol,
  upstream: Protocol,
  facts: AnswerFacts,
  options: AnswerTranslatorOptions,
  bytes: Uint8Array,
): Outgoing | ErrorInside {
  const text = decodeText(bytes)
  const answer = parseAnswer(text)
  if (answer['error'] != null) return { error: text }
  const { body, usage, losses } = translateAnswer(caller, upstream, facts, options).response(answer)
  return { body: JSON.stringify(body), usage, losses }
}

function parseAnswer(text: string): JsonObject {
  const parsed = parse(text)
  if (isObject(parsed)) return parsed
  throw new DragomanError('upstream', 'The upstream gave an answer that is not a JSON object.')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No cause, because its text would quote the answer.
    throw new DragomanError('upstream', 'The upstream gave an answer that is not JSON.')
  }
}

function joined(first: Uint8Array | undefined, rest: Uint8Array | undefined): Bytes {
  if (rest === undefined || rest.length === 0) return first ?? ''
  if (first === undefined) return rest
  const whole = new Uint8Array(first.length + rest.length)
  whole.set(first)
  whole.set(rest, first.length)
  return whole
}
