import { DragomanError } from '../../ir/error.ts'
import { keep, known, unknownOf } from '../../ir/extras.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { PriceTerms } from '../../ir/price-terms.ts'
import type { Usage } from '../../ir/usage.ts'
import { createCounts } from '../../lib/member-buffer.ts'
import { createRepeat } from '../../lib/repeat.ts'
import { defined } from '../../lib/defined.ts'
import { isObject, objectOf, parseJson, optionalString } from '../../lib/json.ts'
import { asUpstreamError } from '../lenient.ts'
import type { DecodeContext } from '../context.ts'
import type { StreamDecoder } from '../protocol.ts'
import { isErrorBody } from '../statuses.ts'
import { decodeErrorBody } from './error.ts'
import { createContentReader, addedText } from './read-content.ts'
import { decodeFinish, RESPONSE } from './response.ts'
import {
  messageDelta,
  stopDelta,
  type EventOf,
  type MessagesEvent,
  type MessagesResponse,
  type WireStop,
  type WireUsage,
} from './answer-schema.ts'
import { NAME } from './schema.ts'
import { ANSWER_TIERS, decodeTerms } from './tier.ts'
import { decodeUsage } from './usage.ts'

/** Wire events to IR events. Blocks are sequential on this wire too; only a seal carrier after a text needs a look ahead. */
export function decodeStream(emit: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  const answer = createAnswer(emit, context)
  const content = createContentReader(emit, context, () => answer.start({}))
  const repeat = createRepeat<MessagesEvent>()
  let done = false

  const fail = (error: DragomanError) => {
    done = true
    content.close()
    emit({ type: 'error', error })
  }
  const readEvent = (data: string, event: MessagesEvent | { readonly type?: undefined }) => {
    switch (event.type) {
      case 'content_block_delta':
        repeat.learn(data, content.delta(event), addedText)
        return
      case 'message_start':
        answer.begin(objectOf(event.message))
        return
      case 'content_block_start':
        if (isObject(event.content_block)) content.start(event.content_block)
        return
      case 'content_block_stop':
        content.stop()
        return
      case 'message_delta':
        content.close()
        answer.change(event)
        return
      case 'message_stop':
        content.close()
        done = true
        answer.finish(content.called())
        return
      case 'error':
        throw decodeErrorBody(event)
      case undefined:
        if (isErrorBody(event)) throw decodeErrorBody(event)
        throw new DragomanError('upstream', 'The upstream sent a stream event that is not a JSON object with a type.')
      default: // ping, and future events
    }
  }
  const read = (data: string) => {
    const again = repeat.text(data)
    if (again !== undefined) return content.grow(again)
    repeat.forget()
    const event = parseJson(data) as MessagesEvent | undefined // read leniently
    readEvent(data, isObject(event) ? event : {})
  }
  return {
    push(data) {
      if (done) return
      try {
        read(data)
      } catch (error) {
        fail(asUpstreamError(error))
      }
    },
    end() {
      if (!done) fail(new DragomanError('interrupted', 'The upstream ended its stream before the answer was complete.'))
    },
    usage: answer.usage,
    terms: answer.terms,
  }
}

/** Members of events about the whole response. */
interface Answer {
  /** Throws for a second message that is not the first one again: the stream is spliced from two responses. */
  readonly begin: (message: MessagesResponse) => void
  /** A response that was started continues. */
  readonly start: (message: MessagesResponse) => void
  readonly change: (event: EventOf<'message_delta'>) => void
  readonly finish: (called: boolean) => void
  readonly usage: () => Usage | undefined
  readonly terms: () => PriceTerms | undefined
}

function createAnswer(emit: Emit<StreamEvent>, context: DecodeContext): Answer {
  const counts = createCounts(context.counted)
  let stop: WireStop = {}
  let started = false
  let begun: MessagesResponse | undefined
  const counted = (): { usage?: Usage } => {
    const usage: WireUsage | undefined = counts.object()
    return usage === undefined ? {} : { usage: decodeUsage(usage) }
  }
  const start = (message: MessagesResponse) => {
    if (started) return
    started = true
    const { id, model } = message
    const response = keep(
      defined({ id: optionalString(id), model: optionalString(model) }),
      NAME,
      unknownOf(message, RESPONSE),
    )
    emit({ type: 'start', response, ...counted() })
  }
  return {
    start,
    begin(message) {
      if (begun !== undefined && begun.id !== message.id) throw secondAnswer()
      begun = message
      if (isObject(message.usage)) counts.add(message.usage)
      start(message)
    },
    change(event) {
      start({})
      stop = objectOf(event.delta)
      const now = event.usage ?? stop.usage
      if (isObject(now)) counts.add(now)
      const { extras } = keep({}, NAME, unknownOf(event, MESSAGE_DELTA))
      if (extras !== undefined) emit({ type: 'extras', of: 'response', extras })
    },
    finish(called) {
      start({})
      const candidate = { finish: decodeFinish(stop.stop_reason, stop.stop_sequence, called) }
      emit(
        defined({ type: 'end', candidate, ...counted(), serviceTier: ANSWER_TIERS.get(counts.object()?.service_tier) }),
      )
    },
    usage: () => counted().usage,
    terms: () => decodeTerms(counts.object() ?? {}),
  }
}

/** For a stream in which another response begins. */
export function secondAnswer(): DragomanError {
  return new DragomanError('upstream', 'The upstream began a second answer in the middle of the first.')
}

const MESSAGE_DELTA = known(messageDelta, {
  apart: ['usage'],
  inside: { delta: known(stopDelta, { apart: ['usage'] }) },
})
