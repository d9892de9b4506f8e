import { DragomanError } from '../../ir/error.ts'
import { keep, known, unknownOf } from '../../ir/extras.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { PriceTerms, Usage } from '../../ir/usage.ts'
import { createCounts, defined } from '../../lib/members.ts'
import { isObject, objectOf, optionalString } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import type { StreamDecoder } from '../protocol.ts'
import { createStreamDecoder, untypedEvent, type Decoded, type StreamReader } from '../stream-decoder.ts'
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
import { ANSWER_TIERS, decodeTerms, decodeUsage } from './usage.ts'

/** Wire events to IR events. Blocks are sequential on this wire too; only a seal carrier after a text needs a look ahead. */
export function decodeStream(given: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  return createStreamDecoder<MessagesEvent>(given, (decoded) => createReader(decoded, context))
}

function createReader(decoded: Decoded, context: DecodeContext): StreamReader<MessagesEvent> {
  const answer = createAnswer(decoded, context)
  const content = createContentReader(decoded.emit, context)
  return {
    read(event) {
      switch (event.type) {
        case 'content_block_delta':
          return content.delta(event)
        case 'message_start':
          return answer.begin(objectOf(event.message))
        case 'content_block_start':
          return isObject(event.content_block) ? content.start(event.content_block) : undefined
        case 'content_block_stop':
          return content.stop()
        case 'message_delta':
          content.close()
          return answer.change(event)
        case 'message_stop':
          content.close()
          return answer.finish(content.called())
        case 'error':
          throw decodeErrorBody(event)
        case undefined:
          throw untypedEvent(event, decodeErrorBody)
        default: // ping, and future events
      }
    },
    added: addedText,
    grow(text) {
      content.grow(text)
      return true
    },
    close: content.close,
    usage: answer.usage,
    terms: answer.terms,
  }
}

/** Members of events about the whole response. */
interface Answer {
  /** Throws for a second message that is not the first one again: the stream is spliced from two responses. */
  readonly begin: (message: MessagesResponse) => void
  readonly change: (event: EventOf<'message_delta'>) => void
  readonly finish: (called: boolean) => void
  readonly usage: () => Usage | undefined
  readonly terms: () => PriceTerms | undefined
}

function createAnswer({ emit, isStarted, start, end }: Decoded, context: DecodeContext): Answer {
  const counts = createCounts(context.counted)
  let stop: WireStop = {}
  let begun: MessagesResponse | undefined
  const counted = (): { usage?: Usage } => {
    const usage: WireUsage | undefined = counts.object()
    return usage === undefined ? {} : { usage: decodeUsage(usage) }
  }
  return {
    begin(message) {
      if (begun !== undefined && begun.id !== message.id) throw secondAnswer()
      begun = message
      if (isObject(message.usage)) counts.add(message.usage)
      if (isStarted()) return
      const { id, model } = message
      const named = defined({ id: optionalString(id), model: optionalString(model) })
      start({ response: keep(named, NAME, unknownOf(message, RESPONSE)), ...counted() })
    },
    change(event) {
      if (!isStarted()) start({ response: {}, ...counted() })
      stop = objectOf(event.delta)
      const now = event.usage ?? stop.usage
      if (isObject(now)) counts.add(now)
      const { extras } = keep({}, NAME, unknownOf(event, MESSAGE_DELTA))
      if (extras !== undefined) emit({ type: 'extras', of: 'response', extras })
    },
    finish(called) {
      const candidate = { finish: decodeFinish(stop.stop_reason, stop.stop_sequence, called) }
      end(defined({ candidate, ...counted(), serviceTier: ANSWER_TIERS.get(counts.object()?.service_tier) }))
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
