import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import type { Part, Reasoning, Refusal, Text, ToolCall } from '../../ir/part.ts'
import type { Finish } from '../../ir/finish.ts'
import { isObject, merge, type JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../context.ts'
import { EMPTY_TEXT } from './content.ts'
import { isHeld } from './held.ts'
import { addSaid, contentOf, encodeSaid, idOf, reportRead, type OpenItem } from './open-item.ts'
import { isRaw, whyUnsupported } from './reasoning.ts'
import { decidesEnd, missingRefusal, NO_SUCH_END, showsRefusals } from './refusal.ts'
import { NAME, type Item } from './schema.ts'
import { kindOf } from './typed-calls.ts'
import type { Logprob } from '../../ir/response.ts'
import type { Emit, EventOf } from '../../ir/stream.ts'
import { createTextBuffer } from '../../lib/text-buffer.ts'
import type { BlockWriter } from '../stream-encoder.ts'
import { isCut } from './response.ts'
import { createOutput, shellOf, type Events, type Output } from './stream-items.ts'
import { encodeAlone, reportSaid, sayable } from './write-parts.ts'

/** The blocks of one streamed response. */
export interface Blocks {
  /** The writer for a kind of part. */
  readonly start: (shell: Part, losses: Losses, position: number) => BlockWriter
  /** Late members of a block that has ended. */
  readonly late: (event: EventOf<'block-patch'>, position: number, losses: Losses) => void
  readonly addTokens: (tokens: readonly Logprob[]) => void
  /** Ends the open item, with a refusal if the response ends as one and has none. Returns all items. */
  readonly settle: (finish?: Finish | 'failed') => readonly Item[]
}

export function createBlocks(write: Emit<string>, events: Events, context: EncodeContext): Blocks {
  const output = createOutput(write, events, context)
  let count = 0
  return {
    start(shell, losses, position) {
      count = position + 1
      if (output.answersHeld(shell)) return { end: (part) => output.addResult(part, losses) }
      output.endHeld()
      if (shell.type === 'text' || shell.type === 'refusal') return saidWriter(shell, losses, output)
      if (decidesEnd(shell)) output.isDecided = true
      if (shell.type === 'reasoning' && !shell.hidden) return thoughtWriter(shell, position, losses, output)
      if (shell.type === 'tool-call' && shell.by === 'client' && shell.arguments === '' && !kindOf(shell, context))
        return callWriter(shell, losses, output)
      return wholeWriter(losses, output)
    },
    late: output.late,
    addTokens: output.addTokens,
    settle(finish) {
      output.endHeld()
      const last = output.isDecided || finish === 'failed' ? undefined : missingRefusal(finish, context)
      if (last !== undefined)
        sayWhole(last, output, (read) => context.losses.added(['candidates', 0, 'parts', count], read, NO_SUCH_END))
      if (finish === 'failed' || (finish !== undefined && isCut(finish))) output.cut()
      output.close()
      output.end()
      return output.finish()
    },
  }
}

/** A text or a refusal that comes whole, and is not a part of the response. */
function sayWhole(part: Text | Refusal, output: Output, report: (read: Part) => void): void {
  const writer = saidWriter({ ...part, text: '' }, NO_LOSSES, output)
  writer.delta?.(part.text)
  writer.end(part)
  const open = output.current()
  if (open !== undefined) reportRead(open, part, report)
}

/** Members of the item that came with its first part after it had begun. */
function addLate(open: OpenItem, part: Part): void {
  const said = part.extras?.[NAME]?.['item']
  if (isObject(said)) Object.assign(open.wire, said)
}

/** Opened by its first piece: a client never gets an empty text. */
function saidWriter(shell: Text | Refusal, losses: Losses, output: Output): BlockWriter {
  const isText = shell.type === 'text' || !showsRefusals(output.context)
  const kind = isText ? 'output_text' : 'refusal'
  const buffer = createTextBuffer()
  let open: OpenItem | undefined
  let place: JsonObject = {}
  let line: ((text: string) => void) | undefined
  const begin = (): void => {
    open = output.enter('message', shell, losses)
    if (shell.type === 'refusal') output.isDecided = true
    place = output.place(contentOf(open).length, 'content_index')
    const part = isText ? { type: kind, text: '', annotations: [], logprobs: [] } : { type: kind, refusal: '' }
    output.events.send('response.content_part.added', { ...place, part })
    line = output.line(`response.${kind}.delta`, place, isText ? { logprobs: [] } : {})
  }
  return {
    delta(piece) {
      buffer.add(piece)
      if (line === undefined) begin()
      line?.(piece)
    },
    end(given) {
      if (open === undefined) return losses.dropped([], EMPTY_TEXT)
      const text = buffer.text()
      const part = { ...given, text } as Text | Refusal // as it began
      const wire = encodeSaid(part, losses, { context: output.context, pairs: output.pairs })
      if (wire === undefined) return
      if (contentOf(open).length === 0) addLate(open, part)
      output.noteText(wire)
      if (wire.type === 'output_text') {
        for (const [index, annotation] of (wire.annotations ?? []).entries())
          output.events.send('response.output_text.annotation.added', { ...place, annotation_index: index, annotation })
        output.events.send('response.output_text.done', { ...place, text, logprobs: wire.logprobs ?? [] })
      } else output.events.send('response.refusal.done', { ...place, refusal: text })
      output.events.send('response.content_part.done', { ...place, part: wire })
      addSaid(open, part, wire, losses, output.context)
    },
  }
}

/** Written as a summary, because clients show nothing else; what was the content of an item stays it. */
function thoughtWriter(shell: Reasoning, position: number, losses: Losses, output: Output): BlockWriter {
  const { context } = output
  const isContent = isRaw(shell)
  const [type, step, delta, index] = isContent
    ? (['reasoning_text', 'content_part', 'reasoning_text', 'content_index'] as const)
    : (['summary_text', 'reasoning_summary_part', 'reasoning_summary_text', 'summary_index'] as const)
  const buffer = createTextBuffer()
  let open: OpenItem | undefined
  let place: JsonObject = {}
  let line: ((text: string) => void) | undefined
  const begin = (): OpenItem => {
    const item = output.enter('reasoning', shell, losses)
    open = item
    const before = item.thoughts.filter(({ part }) => isRaw(part) === isContent)
    place = output.place(before.length, index)
    output.events.send(`response.${step}.added`, { ...place, part: { type, text: '' } })
    line = output.line(`response.${delta}.delta`, place)
    return item
  }
  return {
    delta(piece) {
      buffer.add(piece)
      if (line === undefined) begin()
      line?.(piece)
    },
    end(given) {
      if (given.type !== 'reasoning') return
      const text = buffer.text()
      if (given.hidden && open === undefined) return writeWhole(given, losses, output)
      const { hidden: _late, summary, ...rest } = given
      const part: Reasoning = { ...rest, text, ...(shell.summary ? { summary: true } : {}) }
      if (summary !== shell.summary) losses.dropped(['summary'], 'it came after the text')
      const why = open === undefined ? whyUnsupported(part, part.seal, context) : undefined
      if (why !== undefined) return losses.dropped([], why)
      const item = open ?? begin()
      if (item.thoughts.length === 0) addLate(item, part)
      item.thoughts.push({ part, losses })
      item.seal = part.seal
      output.noteThought(position)
      output.events.send(`response.${delta}.done`, { ...place, text })
      output.events.send(`response.${step}.done`, { ...place, part: { type, text } })
    },
  }
}

function callWriter(shell: ToolCall, losses: Losses, output: Output): BlockWriter {
  output.close(shell)
  const [item] = encodeAlone(shell, losses, output.context, output.pairs)
  const [type, member] = shell.custom
    ? (['response.custom_tool_call_input', 'input'] as const)
    : (['response.function_call_arguments', 'arguments'] as const)
  const place = { item_id: idOf(item) ?? '', output_index: output.items.length }
  if (item !== undefined)
    output.events.send('response.output_item.added', { output_index: place.output_index, item: shellOf(item) })
  const line = output.line(`${type}.delta`, place)
  const buffer = createTextBuffer()
  return {
    delta(piece) {
      buffer.add(piece)
      line(piece)
    },
    patch(event) {
      if (event.seal !== undefined) losses.dropped(['seal'], 'it came after the call had begun')
    },
    end(part) {
      if (buffer.text() === '' && !shell.custom) {
        buffer.add('{}')
        line('{}')
      }
      const text = buffer.text()
      output.events.send(`${type}.done`, { ...place, [member]: text, ...(shell.custom ? {} : { name: shell.name }) })
      const late = part.extras?.[NAME]
      const whole = { ...item, [member]: text } as Item // of this kind
      const done = late === undefined ? whole : merge(whole, late)
      output.done(done)
    },
  }
}

/** For parts that this protocol cannot stream. */
function wholeWriter(losses: Losses, output: Output): BlockWriter {
  return { end: (part) => writeWhole(part, losses, output) }
}

function writeWhole(given: Part, losses: Losses, output: Output): void {
  const { context, pairs } = output
  if (isHeld(given, context)) {
    output.close(given)
    return output.hold(given, losses)
  }
  const words = sayable(given)
  if (words !== undefined) {
    return sayWhole(words, output, (read) => reportSaid(given, read, losses))
  }
  const part = given
  if (part.type === 'opaque' && part.protocol === NAME && part.item !== undefined) {
    const open = output.enter('message', part, losses)
    const wire = encodeSaid(part, losses, { context, pairs })
    const place = output.place(contentOf(open).length, 'content_index')
    if (wire === undefined) return
    for (const step of ['added', 'done']) output.events.send(`response.content_part.${step}`, { ...place, part: wire })
    return addSaid(open, part, wire, losses, context)
  }
  if (part.type === 'reasoning') {
    const why = whyUnsupported(part, part.seal, context)
    if (why !== undefined) return losses.dropped([], why)
    output.close(part)
    const open = output.enter('reasoning', part, losses)
    open.thoughts.push({ part, losses })
    open.seal = part.seal
    return output.close()
  }
  output.close(part)
  for (const item of encodeAlone(part, losses, context, pairs)) output.whole(item)
}
