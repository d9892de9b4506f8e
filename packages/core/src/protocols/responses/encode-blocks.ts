import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { countCalls, type Pairs } from '../../ir/pairs.ts'
import type { Part, Reasoning, Refusal, Text, ToolCall } from '../../ir/part.ts'
import type { Finish, Logprob } from '../../ir/response.ts'
import { isObject, merge, type JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../context.ts'
import { EMPTY_TEXT } from './content.ts'
import { createItemEvents, type Events } from './events.ts'
import { createItemWriter, isHeld, type ItemWriter } from './item-writer.ts'
import { createStreamTokens, type StreamTokens } from './logprobs.ts'
import { addMessagePart, contentOf, encodeMessagePart, extend, idOf, reportRead, type OpenItem } from './open-item.ts'
import { isRaw, whyUnsupported } from './reasoning.ts'
import { decidesEnd, missingRefusal, NO_SUCH_END, showsRefusals } from './item-facts.ts'
import { NAME, type Item } from './schema.ts'
import { kindOf } from './typed-calls.ts'
import type { EventOf } from '../../ir/stream.ts'
import { createTextBuffer } from '../../lib/streamed-text.ts'
import type { BlockWriter } from '../stream-encoder.ts'
import { isCut } from './response.ts'
import { encodeAlone, reportMessagePart, sayable } from './write-parts.ts'

/** The blocks of one streamed answer. */
export interface EncodedBlocks {
  /** The writer for a kind of part. */
  readonly start: (shell: Part, losses: Losses, position: number) => BlockWriter
  /** Late members of a block that has ended. */
  readonly late: (event: EventOf<'block-patch'>, position: number, losses: Losses) => void
  readonly addTokens: (tokens: readonly Logprob[]) => void
  /** Ends the open item, with a refusal if the response ends as one and has none. Returns all items. */
  readonly settle: (finish?: Finish | 'failed') => readonly Item[]
}

/** The shared state of the writers of one response. */
interface Output {
  readonly context: EncodeContext
  readonly pairs: Pairs
  readonly items: ItemWriter
  readonly events: Events
  readonly tokens: StreamTokens
  /** A part has begun that decides how the response ends. */
  isDecided: boolean
}

export function createEncodedBlocks(events: Events, context: EncodeContext): EncodedBlocks {
  const tokens = createStreamTokens(context.losses)
  const items = createItemWriter(context, createItemEvents(events, tokens))
  const output: Output = { context, pairs: countCalls(), items, events, tokens, isDecided: false }
  let count = 0
  return {
    start(shell, losses, position) {
      count = position + 1
      const results = items.resultsWith(shell)
      if (results !== undefined) return { end: (part) => void results.push({ part, losses }) }
      if (shell.type === 'text' || shell.type === 'refusal') return messagePartWriter(shell, losses, output)
      if (decidesEnd(shell)) output.isDecided = true
      if (shell.type === 'reasoning' && !shell.hidden) return thoughtWriter(shell, position, losses, output)
      if (shell.type === 'tool-call' && shell.by === 'client' && shell.arguments === '' && !kindOf(shell, context))
        return callWriter(shell, losses, output)
      return { end: (part) => writeWhole(part, losses, output) }
    },
    late(event, position, losses) {
      const open = items.open()
      const isSealable = open?.thoughts.at(-1)?.position === position && open.seal === undefined
      if (event.seal !== undefined && isSealable) open.seal = event.seal
      reportLate(event, isSealable, losses)
    },
    addTokens: (more) => tokens.add(more),
    settle(finish) {
      const last = output.isDecided || finish === 'failed' ? undefined : missingRefusal(finish, context)
      if (last !== undefined)
        writeMessagePart(last, output, (read) =>
          context.losses.added(['candidates', 0, 'parts', count], read, NO_SUCH_END),
        )
      if (finish === 'failed' || (finish !== undefined && isCut(finish))) items.cut()
      return tokens.finish(items.finish())
    },
  }
}

function reportLate(event: EventOf<'block-patch'>, isSealed: boolean, losses: Losses): void {
  const { citation, seal, hidden, extras } = event
  if (seal !== undefined && !isSealed) losses.dropped(['seal'], TOO_LATE)
  if (citation !== undefined) losses.dropped(['citations'], TOO_LATE)
  if (hidden) losses.dropped(['hidden'], TOO_LATE)
  if (extras !== undefined) losses.dropped(['extras'], TOO_LATE)
}

const TOO_LATE = 'it came after the block had ended'

/** A text or a refusal that comes whole, and is not a part of the response. */
function writeMessagePart(part: Text | Refusal, output: Output, report: (read: Part) => void): void {
  const writer = messagePartWriter({ ...part, text: '' }, NO_LOSSES, output)
  writer.delta?.(part.text)
  writer.end(part)
  const open = output.items.open()
  if (open !== undefined) reportRead(open, part, report)
}

/** Members of the item that came with its first part after it had begun. */
function addLate(open: OpenItem, part: Part): void {
  const ofItem = part.extras?.[NAME]?.['item']
  if (isObject(ofItem)) Object.assign(open.wire, ofItem)
}

/** Where a text is in an item, and the writer of its deltas. */
interface Slot {
  readonly open: OpenItem
  readonly address: JsonObject
  readonly line: (text: string) => void
}

/** The slot of a part. Its first piece of text begins it: a client never gets an empty text. */
function createSlot(create: () => Slot) {
  const buffer = createTextBuffer()
  let slot: Slot | undefined
  const begin = (): Slot => (slot ??= create())
  return {
    begin,
    begun: () => slot,
    text: () => buffer.text(),
    delta: (piece: string): void => {
      buffer.add(piece)
      begin().line(piece)
    },
  }
}

/** Where part `index` of the open item is. */
function addressOf(
  open: OpenItem,
  { items }: Output,
  member: 'content_index' | 'summary_index',
  index: number,
): JsonObject {
  return { item_id: idOf(open.wire) ?? '', output_index: items.index(), [member]: index }
}

function enterMessage(part: Part, losses: Losses, output: Output): Omit<Slot, 'line'> {
  output.tokens.endText()
  const open = output.items.enter('message', part, losses)
  return { open, address: addressOf(open, output, 'content_index', contentOf(open).length) }
}

function messagePartWriter(shell: Text | Refusal, losses: Losses, output: Output): BlockWriter {
  const { context, events, pairs, tokens } = output
  const isText = shell.type === 'text' || !showsRefusals(context)
  const kind = isText ? 'output_text' : 'refusal'
  const {
    delta,
    begun,
    text: wholeText,
  } = createSlot(() => {
    const { open, address } = enterMessage(shell, losses, output)
    if (shell.type === 'refusal') output.isDecided = true
    const part = isText ? { type: kind, text: '', annotations: [], logprobs: [] } : { type: kind, refusal: '' }
    events.send('response.content_part.added', { ...address, part })
    return { open, address, line: events.line(`response.${kind}.delta`, address, isText ? { logprobs: [] } : {}) }
  })
  return {
    delta,
    end(given) {
      const slot = begun()
      if (slot === undefined) return losses.dropped([], EMPTY_TEXT)
      const { open, address } = slot
      const text = wholeText()
      const part = { ...given, text } as Text | Refusal // as it began
      const wire = encodeMessagePart(part, losses, { context, pairs })
      if (wire === undefined) return
      if (contentOf(open).length === 0) addLate(open, part)
      tokens.beginText(wire)
      if (wire.type === 'output_text') {
        for (const [index, annotation] of (wire.annotations ?? []).entries())
          events.send('response.output_text.annotation.added', { ...address, annotation_index: index, annotation })
        events.send('response.output_text.done', { ...address, text, logprobs: wire.logprobs ?? [] })
      } else events.send('response.refusal.done', { ...address, refusal: text })
      events.send('response.content_part.done', { ...address, part: wire })
      addMessagePart(open, part, wire, losses, context)
    },
  }
}

/** Written as a summary, because clients show nothing else; what was the content of an item stays it. */
function thoughtWriter(shell: Reasoning, position: number, losses: Losses, output: Output): BlockWriter {
  const { context, events, items } = output
  const isContent = isRaw(shell)
  const [type, step, text, member] = isContent
    ? (['reasoning_text', 'content_part', 'reasoning_text', 'content_index'] as const)
    : (['summary_text', 'reasoning_summary_part', 'reasoning_summary_text', 'summary_index'] as const)
  const slot = createSlot(() => {
    const open = items.enter('reasoning', shell, losses)
    const before = open.thoughts.filter(({ part }) => isRaw(part) === isContent)
    const address = addressOf(open, output, member, before.length)
    events.send(`response.${step}.added`, { ...address, part: { type, text: '' } })
    return { open, address, line: events.line(`response.${text}.delta`, address) }
  })
  return {
    delta: slot.delta,
    end(given) {
      if (given.type !== 'reasoning') return
      const isEmpty = slot.begun() === undefined
      if (given.hidden && isEmpty) return writeWhole(given, losses, output)
      const { hidden: _late, summary, ...rest } = given
      const part: Reasoning = { ...rest, text: slot.text(), ...(shell.summary ? { summary: true } : {}) }
      if (summary !== shell.summary) losses.dropped(['summary'], 'it came after the text')
      const why = isEmpty ? whyUnsupported(part, part.seal, context) : undefined
      if (why !== undefined) return losses.dropped([], why)
      const { open, address } = slot.begin()
      if (open.thoughts.length === 0) addLate(open, part)
      open.thoughts.push({ part, losses, position })
      open.seal = part.seal
      events.send(`response.${text}.done`, { ...address, text: part.text })
      events.send(`response.${step}.done`, { ...address, part: { type, text: part.text } })
    },
  }
}

function callWriter(shell: ToolCall, losses: Losses, { context, events, items, pairs }: Output): BlockWriter {
  items.close(shell)
  const [item] = encodeAlone(shell, losses, context, pairs)
  const [type, member] = shell.custom
    ? (['response.custom_tool_call_input', 'input'] as const)
    : (['response.function_call_arguments', 'arguments'] as const)
  const address = { item_id: idOf(item) ?? '', output_index: items.begin(item) }
  const line = events.line(`${type}.delta`, address)
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
      events.send(`${type}.done`, { ...address, [member]: text, ...(shell.custom ? {} : { name: shell.name }) })
      const late = part.extras?.[NAME]
      const whole = { ...item, [member]: text } as Item // of this kind
      items.end(late === undefined ? whole : merge(whole, late))
    },
  }
}

/** A part that this protocol cannot stream. */
function writeWhole(part: Part, losses: Losses, output: Output): void {
  const { context, events, items, pairs } = output
  if (isHeld(part, context)) return items.hold(part, losses)
  const words = sayable(part)
  if (words !== undefined) return writeMessagePart(words, output, (read) => reportMessagePart(part, read, losses))
  if (part.type === 'opaque' && part.protocol === NAME && part.item !== undefined) {
    const { open, address } = enterMessage(part, losses, output)
    const wire = encodeMessagePart(part, losses, { context, pairs })
    if (wire === undefined) return
    for (const step of ['added', 'done']) events.send(`response.content_part.${step}`, { ...address, part: wire })
    return addMessagePart(open, part, wire, losses, context)
  }
  if (part.type === 'reasoning') {
    const why = whyUnsupported(part, part.seal, context)
    if (why !== undefined) return losses.dropped([], why)
    return extend(items.enter('reasoning', part, losses), part, losses, output)
  }
  items.close(part)
  for (const item of encodeAlone(part, losses, context, pairs)) items.add(item)
}
