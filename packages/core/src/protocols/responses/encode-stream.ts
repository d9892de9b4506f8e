import { reportForeignExtras, reportForeignToken } from '../../ir/foreign-extras.ts'
import type { Emit, EventOf, Machine, StreamEvent } from '../../ir/stream.ts'
import { createMemberBuffer } from '../../lib/members.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../context.ts'
import { reportUnsupported } from '../member-tables.ts'
import { createStreamEncoder } from '../stream-encoder.ts'
import { encodeErrorObject } from '../error-object.ts'
import type { ResponsesResponse } from './answer-schema.ts'
import { encodeEcho, restoreAround } from './echo.ts'
import { createEncodedBlocks } from './encode-blocks.ts'
import { encodeFailure } from './error.ts'
import { createEvents } from './events.ts'
import { TABLES } from './members.ts'
import { encodeEnd, encodeHead } from './response.ts'
import { NAME } from './schema.ts'
import { encodeUsage, searchesOf } from './usage.ts'

/** IR events to wire text. */
export function encodeStream(write: Emit<string>, context: EncodeContext): Machine<StreamEvent> {
  const { losses } = context
  const late = createMemberBuffer()
  let counted = 0 // tokens with log probabilities
  const events = createEvents(write)
  const blocks = createEncodedBlocks(events, context)
  let head: ResponsesResponse | undefined
  const begin = (event: EventOf<'start'>) => {
    head = encodeHead(event.response, losses, context)
    const own = event.response.extras?.[NAME]
    const response = restoreAround({ ...head, completed_at: null, status: 'in_progress', output: [], usage: null }, own)
    const text = JSON.stringify(response) // both events have the same, with all that is repeated of the request
    for (const type of ['response.created', 'response.in_progress']) events.sendResponse(type, text)
    if (own !== undefined) late.add(own)
  }
  return createStreamEncoder(NAME, losses, {
    start: begin,
    block: blocks.start,
    late: blocks.late,
    logprobs({ tokens, average }) {
      for (const token of tokens)
        reportForeignToken(token, NAME, losses, ['candidates', 0, 'logprobs', 'tokens', counted++])
      blocks.addTokens(tokens)
      if (average !== undefined)
        reportUnsupported({ average }, TABLES.logprobs, losses.at('candidates', 0).at('logprobs'), context)
    },
    extras({ of, extras }) {
      if (of === 'response') late.add(extras[NAME] ?? {})
      else if (extras[NAME] !== undefined)
        losses.dropped(['candidates', 0, 'extras', NAME], 'a responses answer has no candidates')
    },
    end({ blocked, candidate, serviceTier }, counted) {
      const output = blocks.settle(blocked === undefined ? candidate.finish : undefined)
      const end = encodeEnd(blocked === undefined ? candidate : undefined, blocked, output, losses, context)
      const extras = late.object()
      const searches = searchesOf({ ...extras, output })
      const usage = encodeUsage(counted, losses.at('usage'), context, searches)
      reportForeignExtras(counted?.extras, NAME, losses, ['usage'])
      const tier = serviceTier === undefined ? {} : { service_tier: serviceTier }
      const echo = extras && encodeEcho(extras, context.asked?.echo)
      const response = restoreAround({ ...head, ...echo, ...end, output, usage, ...tier }, extras) // of JSON
      const type = end.status === 'incomplete' ? 'response.incomplete' : 'response.completed'
      events.send(type, { response })
    },
    error(error) {
      const output = blocks.settle('failed')
      const { code, message } = encodeFailure(error)
      const { error: body } = encodeErrorObject(error)
      events.send('error', { code, message, param: error.param ?? null, error: { ...(body as JsonObject), code } })
      const known = head ?? encodeHead({}, losses, context)
      events.send('response.failed', {
        response: { ...known, status: 'failed', output, error: { code, message }, usage: null },
      })
    },
  })
}
