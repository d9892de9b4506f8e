import { restore } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/leftovers.ts'
import { NO_LOSSES } from '../../ir/loss.ts'
import type { Emit, EventOf, Machine, StreamEvent } from '../../ir/stream.ts'
import type { Usage } from '../../ir/usage.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createEventEncoder } from '../encode-events.ts'
import type { EncodeContext } from '../protocol.ts'
import { createBlocks } from './encode-blocks.ts'
import { encodeErrorBody } from './error.ts'
import { frame } from './frame.ts'
import { encodeBlocked, encodeFinish, encodeId, encodeModel } from './response.ts'
import { NAME } from './schema.ts'
import { encodeUsage } from './usage.ts'

/** IR events to wire text. */
export function encodeStream(write: Emit<string>, context: EncodeContext): Machine<StreamEvent> {
  const { losses } = context
  const blocks = createBlocks(write, context)
  let late: JsonObject = {}
  let scored = false

  const start = (event: EventOf<'start'>) => {
    if (event.response.created !== undefined) losses.dropped(['created'], 'messages answers have no time')
    reportForeignExtras(event.response.extras, NAME, losses)
    write(frame('message_start', { message: restore(NAME, event.response, encodeHead(event, context)) }))
  }
  const end = (event: EventOf<'end'>, usage: Usage | undefined) => {
    losses.enter('candidates', 0)
    const finish = event.blocked === undefined ? encodeFinish(event.candidate, context) : undefined
    if (finish !== undefined) reportForeignExtras(event.candidate.extras, NAME, losses)
    losses.leave()
    const stopped = finish ?? encodeBlocked(event.blocked, context)
    const counted = encodeUsage(usage, context)
    reportForeignExtras(usage?.extras, NAME, losses, ['usage'])
    const { delta: lateDelta, ...others } = late
    const delta = { ...stopped, ...(lateDelta as object | undefined), usage: counted } // leftovers of a delta of our own
    write(frame('message_delta', { ...others, delta, usage: counted }))
    write(frame('message_stop', {}))
  }
  const extras = (event: EventOf<'extras'>) => {
    if (event.of === 'response') {
      late = { ...late, ...event.extras[NAME] }
      reportForeignExtras(event.extras, NAME, losses)
      return
    }
    losses.enter('candidates', 0)
    reportForeignExtras(event.extras, undefined, losses)
    losses.leave()
  }
  const score = () => {
    if (!scored) losses.dropped(['candidates', 0, 'logprobs'], 'messages answers have no logprobs')
    scored = true
  }

  return createEventEncoder({
    start,
    block: (part, position) => blocks.start(part, position),
    logprobs: score,
    extras,
    end,
    error: (error) => write(frame('error', encodeErrorBody(error))),
  })
}

function encodeHead(event: EventOf<'start'>, context: EncodeContext): object {
  return {
    id: encodeId(event.response, context),
    type: 'message',
    role: 'assistant',
    model: encodeModel(event.response, context),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...encodeUsage(event.usage, { ...context, losses: NO_LOSSES }), output_tokens: 0 },
  }
}
