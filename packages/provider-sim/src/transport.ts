import { asDragomanError } from '@dragoman/core'
import { lengthOf, type Call, type Transport } from '@dragoman/core/provider'
import { answer } from './answer.ts'
import { readPrompt } from './prompt.ts'
import { deliver, deliverLater, type Delivery } from './deliver.ts'
import { createContext } from './context.ts'
import { eventsOf } from './events.ts'
import { failure, refusal } from './refusal.ts'
import { matchMedia } from './media-call.ts'
import { answerMedia } from './answer-media.ts'
import { paceOf } from './pace.ts'
import { deliverStream, deliverWhole } from './wire-delivery.ts'
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

/** Answers wire requests in the same process. */
export function createSimTransport(options: SimTransportOptions): Transport {
  const { offload } = options
  return {
    send(call, receiver) {
      const isLarge = offload !== undefined && (call.body === undefined ? 0 : lengthOf(call.body)) >= offload.from
      // Drawing is work, however short the request is.
      const media = offload === undefined ? undefined : matchMedia(call, options.families)
      if (offload !== undefined && (isLarge || media !== undefined)) {
        const { url, method, headers, body } = call
        const answered = offload.answer({ url, method, headers, body })
        // The thread may refuse what takes too much memory.
        const refused = answered.catch((thrown: unknown) => {
          const { protocol } = media ?? readCall(call, options.families)
          return refusal(protocol, asDragomanError(thrown))
        })
        return deliverLater(refused, receiver)
      }
      const answered = answerCall(call, options)
      return answered instanceof Promise ? deliverLater(answered, receiver) : deliver(answered, receiver)
    },
  }
}

/** The response to a wire request, in the same protocol. */
export function answerCall(call: SimCall, options: AnswerOptions): Delivery | Promise<Delivery> {
  const media = matchMedia(call, options.families)
  if (media !== undefined) return answerMedia(call, media, options)
  const received = readCall(call, options.families)
  const { protocol } = received
  try {
    const { request, text } = received.open()
    const { magic } = readPrompt(request)
    const delayMs = paceOf(magic, options.delayMs)
    if (magic.error !== undefined) return failure(protocol, magic.error)
    const asked = { stop: request.settings.stop, usage: request.delivery.usage }
    const context = { ...createContext(protocol, text, options.now()), asked }
    const response = { id: `sim-${context.id()}`, created: context.now, ...answer(request, protocol.issuer) }
    const { cut } = magic
    if (request.delivery.stream) {
      const { stream } = protocol
      const pace = { waitMs: delayMs, delayMs, cut }
      const type = stream.contentType(undefined)
      return deliverStream((write) => stream.encode(write, context), eventsOf(response), type, pace)
    }
    const waitMs = delayMs * (response.usage?.output ?? 0)
    const body = protocol.response.encode(response, context)
    return deliverWhole(body, { waitMs, delayMs: 0, cut })
  } catch (thrown) {
    return refusal(protocol, asDragomanError(thrown))
  }
}
