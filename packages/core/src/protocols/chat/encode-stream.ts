import { restore } from '../../ir/extras.ts'
import { reportForeignExtras, reportForeignToken } from '../../ir/leftovers.ts'
import type { BlockWriter, Emit, EventOf, Machine, StreamEvent } from '../../ir/stream.ts'
import { overwrite, type Usage } from '../../ir/usage.ts'
import type { JsonObject } from '../../lib/json.ts'
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
  let position = 0
  let open: BlockWriter | undefined
  let usage: Usage | undefined
  let scored = 0
  let done = false

  const chunkOf = (choice: object): object => ({ ...head, choices: [{ index: 0, ...choice }] })
  const started = (): Blocks => {
    if (blocks === undefined) start({ type: 'start', response: {} })
    return (blocks ??= createBlocks(write, chunkOf, context))
  }
  const start = (event: EventOf<'start'>) => {
    usage = event.usage
    head = { ...encodeHead(event.response, context), object: 'chat.completion.chunk' }
    reportForeignExtras(event.response.extras, NAME, losses)
    blocks = createBlocks(write, chunkOf, context)
    const first = chunkOf({ delta: { role: 'assistant', content: '' }, finish_reason: null })
    write(frame(restore(NAME, event.response, first)))
  }
  const end = (event: EventOf<'end'>) => {
    usage = overwrite(usage, event.usage)
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

  return {
    push(event) {
      if (done) return
      switch (event.type) {
        case 'block-delta':
          open?.delta(event.text)
          return
        case 'start':
          start(event)
          return
        case 'block-start':
          open = started().start(event.part, position++)
          return
        case 'block-patch':
          open?.patch(event)
          return
        case 'block-end':
          open?.end()
          open = undefined
          return
        case 'logprobs':
          score(event)
          return
        case 'extras':
          extras(event)
          return
        case 'end':
          end(event)
          done = true
          return
        case 'error':
          done = true
          write(frame(encodeErrorBody(event.error)))
          return
        default:
          event satisfies never
      }
    },
    end() {},
  }
}
