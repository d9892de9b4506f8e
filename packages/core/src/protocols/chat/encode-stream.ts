import { restore } from '../../ir/extras.ts'
import { reportForeignExtras, reportForeignToken } from '../../ir/foreign-extras.ts'
import type { Emit, Machine, StreamEvent } from '../../ir/stream.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { EncodeContext } from '../context.ts'
import { createStreamEncoder } from '../stream-encoder.ts'
import { createEncodedBlocks } from './encode-blocks.ts'
import { encodeErrorObject } from '../error-object.ts'
import { frame } from '../../lib/sse.ts'
import { encodeLogprob } from './logprobs.ts'
import { encodeBlocked, encodeFinish, encodeHead } from './response.ts'
import { TABLES } from './members.ts'
import { NAME } from './schema.ts'
import { encodeUsage } from './usage.ts'

/** IR events to wire text. */
export function encodeStream(write: Emit<string>, context: EncodeContext): Machine<StreamEvent> {
  const { losses } = context
  const candidate = losses.at('candidates', 0)
  let head: object = {}
  let scored = 0
  const chunkOf = (delta: object, choice: object = {}): object => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  })
  const blocks = createEncodedBlocks(write, chunkOf, context)
  return createStreamEncoder(NAME, losses, {
    start({ response }) {
      head = encodeHead(response, 'chat.completion.chunk', losses, context)
      write(frame(restore(NAME, response, chunkOf({ role: 'assistant', content: '' }))))
    },
    block: blocks.start,
    late: blocks.late,
    logprobs({ tokens, average }) {
      const at = ['candidates', 0, 'logprobs']
      if (average !== undefined) reportUnsupported({ average }, TABLES.logprobs, candidate.at('logprobs'), context)
      for (const [index, token] of tokens.entries())
        reportForeignToken(token, NAME, losses, [...at, 'tokens', scored + index])
      scored += tokens.length
      if (tokens.length > 0) write(frame(chunkOf({}, { logprobs: { content: tokens.map(encodeLogprob) } })))
    },
    extras({ of, extras }) {
      const own = extras[NAME]
      if (own === undefined) return
      const { message = {}, ...others } = own
      write(frame(of === 'response' ? { ...chunkOf({}), ...own } : chunkOf(message as object, others))) // extras of our own message
    },
    end({ candidate: ending, blocked, serviceTier }, usage) {
      blocks.finish()
      const encoded = blocked === undefined ? encodeFinish(ending, blocks.called(), candidate, context) : undefined
      const finish_reason = encoded ?? encodeBlocked(blocked, losses)
      const last = chunkOf({}, restore(NAME, ending, { finish_reason }))
      write(frame(serviceTier === undefined ? last : { ...last, service_tier: serviceTier }))
      if (context.asked?.usage && usage !== undefined) {
        reportForeignExtras(usage.extras, NAME, losses, ['usage'])
        write(frame({ ...head, choices: [], usage: encodeUsage(usage, losses.at('usage'), context) }))
      }
      write('data: [DONE]\n\n')
    },
    error: (error) => write(frame(encodeErrorObject(error))),
  })
}
