import { restore } from '../../ir/extras.ts'
import { reportForeignExtras, reportForeignToken } from '../../ir/leftovers.ts'
import type { Emit, EventOf, Machine, StreamEvent } from '../../ir/stream.ts'
import type { Usage } from '../../ir/usage.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createEventEncoder } from '../encode-events.ts'
import type { EncodeContext } from '../protocol.ts'
import { createBlocks, type Blocks } from './encode-blocks.ts'
import { encodeErrorBody } from './error.ts'
import { frame } from './frame.ts'
import { encodeLogprob } from './logprobs.ts'
import { encodeBlocked, encodeFinish, encodeHead } from './response.ts'
import { NAME } from './schema.ts'
import { encodeUsage } from './usage.ts'

/** IR events to wire text. */
export function encodeStream(write: Emit<string>, context: EncodeContext): Machine<StreamEvent> {
  const { losses } = context
  let head: object = {}
  let blocks: Blocks | undefined
  let scored = 0

  const chunkOf = (choice: object): object => ({ ...head, choices: [{ index: 0, ...choice }] })
  const started = (): Blocks => {
    if (blocks === undefined) start({ type: 'start', response: {} })
    return (blocks ??= createBlocks(write, chunkOf, context))
  }
  const start = (event: EventOf<'start'>) => {
    head = { ...encodeHead(event.response, context), object: 'chat.completion.chunk' }
    reportForeignExtras(event.response.extras, NAME, losses)
    blocks = createBlocks(write, chunkOf, context)
    const first = chunkOf({ delta: { role: 'assistant', content: '' }, finish_reason: null })
    write(frame(restore(NAME, event.response, first)))
  }
  const end = (event: EventOf<'end'>, usage: Usage | undefined) => {
    losses.enter('candidates', 0)
    const said = event.blocked === undefined ? encodeFinish(event.candidate, started().called(), context) : undefined
    if (said !== undefined) reportForeignExtras(event.candidate.extras, NAME, losses)
    losses.leave()
    const finish_reason = said ?? encodeBlocked(event.blocked, context)
    write(frame(chunkOf(restore(NAME, event.candidate, { delta: {}, finish_reason }))))
    if (context.asked?.usage && usage !== undefined) {
      reportForeignExtras(usage.extras, NAME, losses, ['usage'])
      write(frame({ ...head, choices: [], usage: encodeUsage(usage, context) }))
    }
    write('data: [DONE]\n\n')
  }
  const extras = (event: EventOf<'extras'>) => {
    if (event.of === 'candidate') losses.enter('candidates', 0)
    reportForeignExtras(event.extras, NAME, losses)
    if (event.of === 'candidate') losses.leave()
    const { message, ...own } = event.extras[NAME] ?? {}
    const choice =
      event.of === 'candidate'
        ? { delta: message ?? {}, finish_reason: null, ...own }
        : { delta: {}, finish_reason: null }
    const rest: JsonObject = event.of === 'response' ? { ...own, ...(message === undefined ? {} : { message }) } : {}
    if (event.extras[NAME] !== undefined) write(frame({ ...chunkOf(choice), ...rest }))
  }

  const score = ({ tokens, average }: EventOf<'logprobs'>) => {
    if (average !== undefined) losses.dropped(['candidates', 0, 'logprobs', 'average'], 'chat has no average of them')
    for (const [index, token] of tokens.entries())
      reportForeignToken(token, NAME, losses, ['candidates', 0, 'logprobs', 'tokens', scored + index])
    scored += tokens.length
    if (tokens.length > 0)
      write(frame(chunkOf({ delta: {}, logprobs: { content: tokens.map(encodeLogprob) }, finish_reason: null })))
  }

  return createEventEncoder({
    start,
    block: (part, position) => started().start(part, position),
    logprobs: score,
    extras,
    end,
    error: (error) => write(frame(encodeErrorBody(error))),
  })
}
