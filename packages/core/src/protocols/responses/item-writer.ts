import type { Losses } from '../../ir/loss.ts'
import type { Code, Part, ToolCall, ToolResult } from '../../ir/part.ts'
import type { Encoding } from '../context.ts'
import { encodeSearch, isSearch } from './calls.ts'
import { answersCode, encodeCode, isRun } from './code.ts'
import { closeItem, cutItem, itemId, joins, openItem, reportJoined, type OpenItem } from './open-item.ts'
import { carrierOf } from './reasoning.ts'
import type { Item } from './schema.ts'

/** What the upstream does itself is one item with its results, which are the next parts: the first part waits for them. */
interface Held {
  readonly part: ToolCall | Code
  readonly losses: Losses
  readonly results: { readonly part: Part; readonly losses: Losses }[]
}

/** Where the writer of a response is. */
type State =
  /** Before the first item, or in a call that its own writer ends. */
  | { readonly is: 'between' }
  /** In an item that takes more parts. */
  | { readonly is: 'open'; readonly item: OpenItem }
  | { readonly is: 'held'; readonly held: Held }
  /** Behind an item with all of its parts. It may still be cut, so its end is sent when something follows. */
  | { readonly is: 'ended'; readonly item: Item; readonly before?: OpenItem }

const BETWEEN: State = { is: 'between' }

/** The events of items for the client of a stream, with their positions. */
export interface ItemEvents {
  /** An item that takes parts begins with this one. */
  opened(item: OpenItem, part: Part, index: number): void
  /** A call begins. */
  began(item: Item, index: number): void
  /** The text of an item that comes whole. */
  filled(item: Item, index: number): void
  ended(item: Item, index: number): void
}

/** Arranges the parts of a response, whole or streamed, in items. */
export interface ItemWriter {
  /** The item for this part: the open one if the part joins it, or a new one. */
  enter(kind: OpenItem['kind'], part: Part, losses: Losses): OpenItem
  /** What the upstream does itself waits for its results. */
  hold(part: Held['part'], losses: Losses): void
  /** The results of the part that waits, if this is one of them. If not, that part waits no longer. */
  resultsWith(part: Part): Held['results'] | undefined
  /** No more parts join the item. `next` is the part behind it. */
  close(next?: Part): void
  /** An item that comes whole. */
  add(item: Item): void
  /** A call whose arguments are streamed. Returns its position. */
  begin(item: Item | undefined): number
  end(item: Item): void
  /** The response ends in the middle of its last item. */
  cut(): void
  /** Ends the last item. Returns all. */
  finish(): Item[]
  /** The open item. */
  open(): OpenItem | undefined
  /** The position of the open item, or of the next one. */
  index(): number
}

export function createItemWriter(context: Encoding, events?: ItemEvents): ItemWriter {
  const items: Item[] = []
  let state: State = BETWEEN
  const settle = (): void => {
    if (state.is !== 'ended') return
    events?.ended(state.item, items.length)
    items.push(state.item)
    state = BETWEEN
  }
  const add = (item: Item, before?: OpenItem): void => {
    settle()
    events?.began(item, items.length)
    events?.filled(item, items.length)
    state = { is: 'ended', item, ...(before && { before }) }
  }
  const close = (next?: Part): void => {
    if (state.is === 'held') {
      const item = encodeHeld(state.held, context)
      state = BETWEEN
      return add(item)
    }
    if (state.is !== 'open') return
    const before = state.item
    const { item, carried } = closeItem(before, next, context)
    state = { is: 'ended', item, before }
    if (carried !== undefined) add(carrierOf(carried, `rs_${context.id()}`), before)
  }
  return {
    enter(kind, part, losses) {
      if (state.is === 'open' && joins(state.item, part, context)) {
        reportJoined(state.item, part, losses)
        return state.item
      }
      close(part)
      const before = state.is === 'ended' ? state.before : undefined
      settle()
      const item = openItem(kind, part, before, losses, context)
      events?.opened(item, part, items.length)
      state = { is: 'open', item }
      return item
    },
    hold(part, losses) {
      close(part)
      settle()
      state = { is: 'held', held: { part, losses, results: [] } }
    },
    resultsWith(part) {
      if (state.is !== 'held') return undefined
      if (answers(state.held, part)) return state.held.results
      close()
      return undefined
    },
    close,
    add,
    begin(item) {
      settle()
      if (item !== undefined) events?.began(item, items.length)
      return items.length
    },
    end(item) {
      state = { is: 'ended', item }
    },
    cut() {
      if (state.is === 'held') close()
      if (state.is === 'open') Object.assign(state.item.wire, cutItem(state.item.wire))
      if (state.is === 'ended') state = { ...state, item: cutItem(state.item) }
    },
    finish() {
      close()
      settle()
      return items
    },
    open: () => (state.is === 'open' ? state.item : undefined),
    index: () => items.length,
  }
}

export function isHeld(part: Part, context: Encoding): part is ToolCall | Code {
  return isSearch(part, context) || isRun(part, context)
}

/** Whether a part is a result of the part that waits. */
function answers({ part: held, results }: Held, part: Part): boolean {
  if (held.type === 'code') return answersCode(held, part)
  return results.length === 0 && part.type === 'tool-result' && part.by === 'server' && part.callId === held.id
}

function encodeHeld({ part, losses, results }: Held, context: Encoding): Item {
  if (part.type === 'code')
    return encodeCode(part, itemId(part, 'ci', undefined, losses, context), results, losses, context)
  const [found] = results
  return encodeSearch(part, found?.part as ToolResult | undefined, losses, found?.losses ?? losses, context) // asked before
}
