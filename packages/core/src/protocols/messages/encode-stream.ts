import { restore } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import { NO_LOSSES } from '../../ir/loss.ts'
import type { Emit, EventOf, Machine, StreamEvent } from '../../ir/stream.ts'
import { createMemberBuffer } from '../../lib/members.ts'
import type { EncodeContext } from '../context.ts'
import { encodeTier } from '../tier-words.ts'
import { createStreamEncoder } from '../stream-encoder.ts'
import { frame, createEncodedBlocks } from './encode-blocks.ts'
import { encodeErrorBody } from './error.ts'
import { NO_CANDIDATES, NO_LOGPROBS } from './members.ts'
import { encodeEnd, encodeHead } from './response.ts'
import { NAME } from './schema.ts'
import { ANSWER_TIERS, encodeUsage } from './usage.ts'

/** IR events to wire text. */
export function encodeStream(write: Emit<string>, context: EncodeContext): Machine<StreamEvent> {
  const { losses } = context
  const late = createMemberBuffer()
  const blocks = createEncodedBlocks(write, context)
  return createStreamEncoder(NAME, losses, {
    start: (event) => write(frame('message_start', { message: encodeStart(event, context) })),
    block: blocks.start,
    logprobs: () => losses.dropped(['candidates', 0, 'logprobs'], NO_LOGPROBS),
    extras({ of, extras }) {
      if (of === 'response') late.add(extras[NAME] ?? {})
      else if (extras[NAME] !== undefined) losses.dropped(['candidates', 0, 'extras', NAME], NO_CANDIDATES)
    },
    end({ blocked, candidate, serviceTier }, counted) {
      blocks.settle()
      const stopped = encodeEnd(blocked === undefined ? candidate : undefined, blocked, losses, context)
      const usage = encodeUsage(
        counted,
        encodeTier(serviceTier, ANSWER_TIERS, NAME, losses),
        losses.at('usage'),
        context,
      )
      reportForeignExtras(counted?.extras, NAME, losses, ['usage'])
      const { delta, ...others } = late.object() ?? {}
      const change = { ...stopped, ...(delta as object | undefined), usage } // extras of our own delta
      write(frame('message_delta', { ...others, delta: change, usage }))
      write(frame('message_stop', {}))
    },
    error(error) {
      blocks.settle()
      write(frame('error', encodeErrorBody(error)))
    },
  })
}

function encodeStart({ response, usage }: EventOf<'start'>, context: EncodeContext): object {
  return restore(NAME, response, {
    ...encodeHead(response, context.losses, context),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...encodeUsage(usage, undefined, NO_LOSSES, context), output_tokens: 0 },
  })
}
