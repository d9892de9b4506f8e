import type { Losses } from '../../ir/loss.ts'
import { countCalls, type Pairs } from '../../ir/pairs.ts'
import type { Part } from '../../ir/part.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../context.ts'
import { answers, encodeHeld, type Held } from './held.ts'
import { encodeLogprob } from './logprobs.ts'
import { closeItem, idOf, joins, openItem, reportJoined, type OpenItem } from './open-item.ts'
import { carrierOf, isRaw, THOUGHTS } from './reasoning.ts'
import type { Item, WirePart, WireLogprob } from './schema.ts'
import type { Logprob } from '../../ir/response.ts'
import type { Emit, EventOf } from '../../ir/stream.ts'
import { frameHead } from './frame.ts'
import { cutItem, reportTokens, withTokens } from './response.ts'

/** Numbers the events of one stream. */
export interface Events {
  /** The number of the next event. */
  next(): number
  send(type: string, members: object): void
}

/** The shared state of the writers of one response. */
export interface Output {
  readonly context: EncodeContext
  readonly pairs: Pairs
  readonly items: Item[]
  readonly events: Events
  write: Emit<string>
  /** The item for this part: the open one if the part joins it, or a new one. */
  readonly enter: (kind: OpenItem['kind'], part: Part, losses: Losses) => OpenItem
  /** The last item is that of an incomplete response. */
  readonly cut: () => void
  /** Ends the open item. `next` is the part behind it. */
  readonly close: (next?: Part) => void
  /** An item has all of its parts. Its last event is sent when something follows it. */
  readonly done: (item: Item) => void
  /** Sends the last event of the last item. */
  readonly end: () => void
  /** An item that is complete. */
  readonly whole: (item: Item) => void
  /** What the upstream does itself waits for its results. */
  readonly hold: (part: Held['part'], losses: Losses) => void
  readonly answersHeld: (part: Part) => boolean
  readonly addResult: (part: Part, losses: Losses) => void
  readonly endHeld: () => void
  readonly late: (event: EventOf<'block-patch'>, position: number, losses: Losses) => void
  readonly addTokens: (tokens: readonly Logprob[]) => void
  /** All items. Log probabilities that came after their text belong to the last text. */
  readonly finish: () => readonly Item[]
  /** The open item. */
  readonly current: () => OpenItem | undefined
  /** Where the parts of the open item are. */
  readonly place: (index: number, member: 'content_index' | 'summary_index') => JsonObject
  /** Writes deltas of this type. */
  readonly line: (type: string, place: object, tail?: object) => (text: string) => void
  readonly noteThought: (position: number) => void
  /** A part has begun that decides how the response ends. */
  isDecided: boolean
  readonly noteText: (wire: WirePart) => void
}

export function createOutput(write: Emit<string>, events: Events, context: EncodeContext): Output {
  const { items, done, end, cutLast } = createDoneItems(events)
  const tokens = createTokens(context)
  let open: OpenItem | undefined
  let before: OpenItem | undefined
  let thought: number | undefined // the position of the last part of open reasoning
  let held: Held | undefined
  const at = (): JsonObject => ({ output_index: items.length })
  const add = (item: Item): void => {
    end()
    events.send('response.output_item.added', { ...at(), item })
  }
  const output: Output = {
    context,
    pairs: countCalls(),
    items,
    events,
    write,
    isDecided: false,
    enter(kind, part, losses) {
      if (open !== undefined && joins(open, part, context)) {
        reportJoined(open, part, losses)
        tokens.endText()
        return open
      }
      output.close(part)
      open = openItem(kind, part, before, losses, context)
      const mark = part.type === 'reasoning' && !part.summary && !isRaw(part) ? { encrypted_content: THOUGHTS } : {}
      const status = 'status' in open.wire ? { status: 'in_progress' } : {}
      add({ ...open.wire, ...status, ...mark }) // of its kind
      return open
    },
    cut() {
      if (open === undefined) cutLast()
      else Object.assign(open.wire, cutItem(open.wire))
    },
    done,
    end,
    close(next) {
      if (open === undefined) return end()
      const { item, carried } = closeItem(open, next, context)
      done(item)
      before = open
      open = undefined
      tokens.endText()
      if (carried !== undefined) output.whole(carrierOf(carried, `rs_${context.id()}`))
      if (next !== undefined) end()
    },
    whole(item) {
      before = undefined
      add(shellOf(item))
      for (const [type, members] of texts(item)) events.send(type, { item_id: idOf(item) ?? '', ...at(), ...members })
      done(item)
    },
    answersHeld: (part) => held !== undefined && answers(held, part),
    hold(part, losses) {
      held = { part, losses, results: [] }
    },
    addResult: (part, losses) => void held?.results.push({ part, losses }),
    endHeld() {
      if (held !== undefined) output.whole(encodeHeld(held, context))
      held = undefined
    },
    late(event, position, losses) {
      const isOpen = open?.kind === 'reasoning' && thought === position && open.seal === undefined
      if (event.seal !== undefined && isOpen && open !== undefined) open.seal = event.seal
      reportLate(event, isOpen, losses)
    },
    addTokens: (more) => tokens.add(more),
    finish: () => tokens.finish(items),
    noteThought(position) {
      thought = position
    },
    noteText: (wire) => tokens.beginText(wire),
    current: () => open,
    place: (index, member) => ({ item_id: idOf(open?.wire) ?? '', ...at(), [member]: index }),
    line: (type, place, tail) => lineOf(write, events, type, place, tail),
  }
  return output
}

/** The items that have all of their parts. What the last one is like is known when something follows it. */
function createDoneItems(events: Events) {
  const items: Item[] = []
  let isOpen = false
  return {
    items,
    done: (item: Item): void => {
      items.push(item)
      isOpen = true
    },
    end: (): void => {
      const item = items.at(-1)
      if (isOpen && item !== undefined)
        events.send('response.output_item.done', { output_index: items.length - 1, item })
      isOpen = false
    },
    cutLast: (): void => {
      const item = items.pop()
      if (item !== undefined) items.push(isOpen ? cutItem(item) : item)
    },
  }
}

function lineOf(write: Emit<string>, events: Events, type: string, place: object, tail = {}): (text: string) => void {
  const head = `${frameHead(type)}{"type":"${type}","sequence_number":`
  const middle = `,${JSON.stringify(place).slice(1, -1)},"delta":`
  const rest = JSON.stringify(tail).slice(1, -1)
  const end = `${rest === '' ? '' : `,${rest}`}}\n\n`
  return (text) => write(head + events.next() + middle + JSON.stringify(text) + end)
}

/** The log probabilities of the texts of one response. */
interface Tokens {
  add(tokens: readonly Logprob[]): void
  /** A text that takes them, until another item begins. */
  beginText(wire: WirePart): void
  endText(): void
  /** The items, with tokens that came after their text in the last text. */
  finish(items: readonly Item[]): readonly Item[]
}

function createTokens({ losses }: EncodeContext): Tokens {
  const tokens: Logprob[] = []
  let taken = 0 // tokens that a text has
  let text: { logprobs?: WireLogprob[] | null | undefined } | undefined
  const give = (): void => {
    if (text === undefined) return
    text.logprobs = [...(text.logprobs ?? []), ...tokens.slice(taken).map(encodeLogprob)]
    taken = tokens.length
  }
  return {
    add(more) {
      for (const token of more) tokens.push(token)
      give()
    },
    beginText(wire) {
      if (wire.type !== 'output_text') return
      text = wire
      give()
    },
    endText() {
      text = undefined
    },
    finish(items) {
      if (taken === tokens.length) return items
      const rest = tokens.slice(taken)
      const found = withTokens(items, rest)
      if (found === undefined) reportTokens(tokens, rest.length, losses.at('candidates', 0))
      return found ?? items
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

/** An item before its text has come. */
export function shellOf(item: Item): Item {
  const shell = 'status' in item ? { ...item, status: 'in_progress' } : item
  if (item.type === 'function_call') return { ...shell, arguments: '' } // of this kind
  if (item.type === 'custom_tool_call') return { ...shell, input: '' } // of this kind
  if (item.type === 'code_interpreter_call') return { ...shell, code: '', outputs: null } // of this kind
  if (item.type === 'image_generation_call') return { ...shell, result: null } // of this kind
  return shell // as it was
}

/** The events between the start and the end of an item that comes whole. */
function texts(item: Item): readonly (readonly [type: string, members: object])[] {
  switch (item.type) {
    case 'function_call':
      return [
        ['response.function_call_arguments.delta', { delta: item.arguments }],
        ['response.function_call_arguments.done', { arguments: item.arguments, name: item.name }],
      ]
    case 'custom_tool_call':
      return [
        ['response.custom_tool_call_input.delta', { delta: item.input }],
        ['response.custom_tool_call_input.done', { input: item.input }],
      ]
    case 'web_search_call':
      return ['in_progress', 'searching', 'completed'].map((step) => [`response.web_search_call.${step}`, {}] as const)
    case 'code_interpreter_call':
      return [
        ['response.code_interpreter_call.in_progress', {}],
        ['response.code_interpreter_call_code.delta', { delta: item.code ?? '' }],
        ['response.code_interpreter_call_code.done', { code: item.code ?? '' }],
        ['response.code_interpreter_call.interpreting', {}],
        ['response.code_interpreter_call.completed', {}],
      ]
    case 'image_generation_call':
      return ['in_progress', 'generating', 'completed'].map(
        (step) => [`response.image_generation_call.${step}`, {}] as const,
      )
    default:
      return []
  }
}
