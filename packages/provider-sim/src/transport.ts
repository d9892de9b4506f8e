import {
  asDragomanError,
  createLosses,
  DragomanError,
  type EncodeContext,
  type Protocol,
  type ModelRequest,
  type ModelResponse,
} from '@dragoman/core'
import { lengthOf, type Call, type Transport } from '@dragoman/core/provider'
import { answer } from './answer.ts'
import { readPrompt } from './prompt.ts'
import { deliver, deliverLater, type Delivery } from './deliver.ts'
import { digest } from './digest.ts'
import { eventsOf } from './events.ts'
import type { Magic } from './magic.ts'
import { readCall, type Family } from './read-call.ts'

export interface AnswerOptions {
  readonly families: readonly Family[]
  /** Unix seconds. */
  readonly now: () => number
  /** Milliseconds per token. */
  readonly delayMs: number
}

export interface SimTransportOptions extends AnswerOptions {
  readonly offload?: SimOffload | undefined
}

/** The part of a call that the simulator reads, as plain data. */
export type SimCall = Pick<Call, 'url' | 'method' | 'headers' | 'body'>

/** Answers large requests in another thread, with `createSimAnswers`. */
export interface SimOffload {
  /** The smallest request, in bytes, that goes to the other thread. */
  readonly from: number
  answer(call: SimCall): Promise<Delivery>
}

const SLOW_MS = 100
const JSON_TYPE = { 'content-type': 'application/json' }

/** Answers wire requests in the same process. */
export function createSimTransport(options: SimTransportOptions): Transport {
  const { offload } = options
  return {
    send(call, receiver) {
      if (offload === undefined || (call.body === undefined ? 0 : lengthOf(call.body)) < offload.from) {
        return deliver(answerCall(call, options), receiver)
      }
      const { url, method, headers, body } = call
      return deliverLater(offload.answer({ url, method, headers, body }), receiver)
    },
  }
}

/** The response to a wire request, in the same protocol. */
export function answerCall(call: SimCall, options: AnswerOptions): Delivery {
  const received = readCall(call, options.families)
  const { protocol } = received
  try {
    const { request, text } = received.open()
    const { magic } = readPrompt(request)
    const delayMs = magic.slow ? Math.max(SLOW_MS, options.delayMs) : options.delayMs
    if (magic.error !== undefined) return failure(protocol, magic.error)
    const context = contextOf(protocol, request, text, options.now())
    const response = { id: `sim-${context.id()}`, created: context.now, ...answer(request, protocol.issuer) }
    if (request.delivery.stream) return streamed(protocol, response, context, magic, delayMs)
    return whole(protocol, response, context, magic, delayMs)
  } catch (thrown) {
    return refusal(protocol, asDragomanError(thrown))
  }
}

/** Ids come from the text of the request: the same request gets the same response, with the same ids. */
function contextOf(protocol: Protocol, request: ModelRequest, text: string, now: number): EncodeContext {
  const base = digest(text)
  let count = 0
  return {
    issuer: protocol.issuer,
    losses: createLosses(),
    toward: 'client',
    id: () => digest(`${count++} ${base}`),
    now,
    asked: { stop: request.settings.stop, usage: request.delivery.usage },
  }
}

function streamed(
  protocol: Protocol,
  response: ModelResponse,
  context: EncodeContext,
  { cut }: Magic,
  delayMs: number,
): Delivery {
  const chunks: Uint8Array[] = []
  const encoder = new TextEncoder()
  let text = ''
  const machine = protocol.stream.encode((piece) => (text += piece), context)
  const flush = (): void => {
    if (text !== '') chunks.push(encoder.encode(text))
    text = ''
  }
  for (const event of eventsOf(response)) {
    machine.push(event)
    flush()
  }
  machine.end()
  flush()
  const headers = { 'content-type': protocol.stream.contentType(undefined) }
  return { status: 200, headers, chunks, waitMs: delayMs, delayMs, cut }
}

function whole(
  protocol: Protocol,
  response: ModelResponse,
  context: EncodeContext,
  { cut }: Magic,
  delayMs: number,
): Delivery {
  const bytes = new TextEncoder().encode(JSON.stringify(protocol.response.encode(response, context)))
  const half = Math.ceil(bytes.length / 2)
  const chunks = [bytes.slice(0, half), bytes.slice(half)]
  const waitMs = delayMs * (response.usage?.output ?? 0)
  return { status: 200, headers: JSON_TYPE, chunks, waitMs, delayMs: 0, cut }
}

/** The requested status, with an error body of the protocol. */
function failure(protocol: Protocol, status: number): Delivery {
  const { kind } = protocol.error.decode(status, '')
  const error = new DragomanError(kind, `The simulator was asked to fail with status ${status}.`)
  const headers = status === 429 ? { 'retry-after': '1' } : {}
  return { ...refusal(protocol, error), status, headers: { ...JSON_TYPE, ...headers } }
}

function refusal(protocol: Protocol, error: DragomanError): Delivery {
  const { status, body } = protocol.error.encode(error, 'req_sim')
  const chunks = [new TextEncoder().encode(JSON.stringify(body))]
  return { status, headers: JSON_TYPE, chunks, waitMs: 0, delayMs: 0, cut: false }
}
