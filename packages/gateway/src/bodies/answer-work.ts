import {
  DragomanError,
  isObject,
  translateAnswer,
  type AnswerFacts,
  type AnswerTranslatorOptions,
  type JsonObject,
  type Loss,
  type PriceTerms,
  type Protocol,
  type Usage,
} from '@dragoman/core'
import { isErrorBody } from '@dragoman/core/protocols'
import type { Bytes } from '@dragoman/core/provider'
import { decodeText } from '../ports/collect.ts'
import { partsTokens } from './estimate.ts'

/** A whole answer for the client. */
export interface Outgoing {
  readonly body: Bytes
  readonly usage?: Usage | undefined
  /** What the upstream reports about the price. */
  readonly terms?: PriceTerms | undefined
  /** Set if the upstream has left out a count: an estimate of the tokens of output that the usage does not include. */
  readonly uncounted?: number | undefined
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
  const { usage, terms, complete, isError, rest } = tap.end()
  if (isError === true) return { error: decodeText(bytes) }
  if (!complete) throw new DragomanError('upstream', 'The upstream gave an answer that cannot be read.')
  const uncounted = isCounted(usage)
    ? undefined
    : outputTokens(protocol, parseAnswer(decodeText(bytes)), usage, protocol.issuer)
  return { body: joined(passed, rest), usage, terms, uncounted, losses: [] }
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
  if (isErrorBody(answer)) return { error: text }
  const { body, usage, terms, losses } = translateAnswer(caller, upstream, facts, options).response(answer)
  const { issuer = upstream.issuer, dialect } = options
  const uncounted = isCounted(usage) ? undefined : outputTokens(upstream, answer, usage, issuer, dialect)
  return { body: JSON.stringify(body), usage, terms, uncounted, losses }
}

function isCounted(usage: Usage | undefined): boolean {
  return usage?.input !== undefined && usage.output !== undefined
}

/** An estimate of the output that a usage does not include. Undefined if the answer cannot be read. */
function outputTokens(
  { response }: Protocol,
  answer: JsonObject,
  usage: Usage | undefined,
  issuer: string,
  dialect?: JsonObject,
): number | undefined {
  if (usage?.output !== undefined) return 0
  try {
    const { candidates } = response.decode(answer, { issuer, dialect })
    return candidates.reduce((sum, { parts }) => sum + partsTokens(parts), 0)
  } catch {
    // The answer is relayed anyway.
    return undefined
  }
}

/** The object in the text of an answer. */
export function parseAnswer(text: string): JsonObject {
  const parsed = parse(text)
  if (isObject(parsed)) return parsed
  throw new DragomanError('upstream', 'The upstream gave an answer that is not a JSON object.')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The error has no cause, because its text would quote the answer.
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
