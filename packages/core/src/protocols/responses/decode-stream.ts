import type { Part } from '../../ir/part.ts'
import type { Seal } from '../../ir/seal.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { type PriceTerms, withSearches, type Usage } from '../../ir/usage.ts'
import { createCounts, defined } from '../../lib/members.ts'
import { isObject, listOf, objectOf } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import { decodeTier } from '../openai.ts'
import type { StreamDecoder } from '../protocol.ts'
import { createStreamDecoder, untypedEvent, type Decoded, type StreamReader } from '../stream-decoder.ts'
import { tierTerms } from '../tier-words.ts'
import type { ResponsesEvent, ResponsesResponse, WireUsage } from './answer-schema.ts'
import { decodeItem } from './assistant.ts'
import { createDecodedBlocks, shellOf, type StreamBlock } from './decode-blocks.ts'
import { decodeErrorBody } from './error.ts'
import { lateMembers } from './citations.ts'
import {
  addedText,
  announcedPart,
  partKey,
  partKeys,
  startPart,
  type DeltaEvent,
  type PartEvent,
} from './read-content.ts'
import { tokensOf } from './logprobs.ts'
import { idOf } from './open-item.ts'
import { openReasoning } from './reasoning.ts'
import { createReceivedItems } from './received-items.ts'
import { decodeFinish, decodeHead } from './response.ts'
import { NAME, type Item } from './schema.ts'
import { createSearchCounter, decodeUsage } from './usage.ts'

/** Wire events to IR events. The whole item at its end counts; deltas before it show its text early. */
export function decodeStream(given: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  return createStreamDecoder<ResponsesEvent>(given, (decoded) => createReader(decoded, context), UNREAD)
}

function createReader(decoded: Decoded, context: DecodeContext): StreamReader<ResponsesEvent> {
  const answer = createAnswer(decoded, context)
  return {
    read(event) {
      switch (event.type) {
        case 'response.output_text.delta':
        case 'response.refusal.delta':
        case 'response.reasoning_text.delta':
        case 'response.reasoning_summary_text.delta':
        case 'response.function_call_arguments.delta':
        case 'response.custom_tool_call_input.delta':
          return answer.delta(event)
        case 'response.content_part.added':
        case 'response.content_part.done':
        case 'response.reasoning_summary_part.added':
          return answer.part(event)
        case 'response.output_item.added':
          return isObject(event.item) ? answer.added(event.output_index ?? 0, event.item) : undefined
        case 'response.output_item.done':
          return isObject(event.item) ? answer.done(event.output_index ?? 0, event.item) : undefined
        case 'response.created':
        case 'response.in_progress':
        case 'response.queued':
          return answer.start(objectOf(event.response))
        case 'response.completed':
        case 'response.incomplete':
        case 'response.cancelled':
          return answer.finish(objectOf(event.response))
        case 'response.failed':
          throw decodeErrorBody(event.response)
        case 'error':
          throw decodeErrorBody(event)
        case undefined:
          throw untypedEvent(event, decodeErrorBody)
        default: // keepalive, parts of items, and future events
      }
    },
    added: addedText,
    grow: answer.grow,
    close: answer.close,
    usage: answer.usage,
    terms: answer.terms,
  }
}

/** Members of deltas that differ from event to event: a number, and padding against the guessing of lengths. */
const UNREAD = ['sequence_number', 'obfuscation']

/** An item that is being received. */
interface Tracked {
  readonly item: Item
  readonly parts: Map<string, Begun>
}

/** A part that has begun. */
interface Begun {
  readonly shell: Part
  readonly block: StreamBlock
}

/** The items of one response, read event by event. */
interface Items {
  readonly added: (index: number, item: Item) => void
  readonly delta: (event: DeltaEvent) => void
  /** More text for the part of the last delta; false if there is none. */
  readonly grow: (text: string) => boolean
  readonly part: (event: PartEvent) => void
  readonly done: (index: number, item: Item) => void
  /** The items of the whole response. Some of them may have come before. */
  rest(output: readonly Item[]): void
  readonly close: () => void
  /** What decides how the response ends. */
  readonly ends: readonly Part[]
  /** The number of tokens with log probabilities. */
  counted(): number
}

function createItems(emit: Emit<StreamEvent>, context: DecodeContext): Items {
  const blocks = createDecodedBlocks(emit)
  const received = createReceivedItems<Tracked>()
  const ends: Part[] = []
  let forNext: Seal | undefined
  let growing: StreamBlock | undefined
  let counted = 0
  const sealed = (part: Part): Part => {
    const seal = forNext
    forNext = undefined
    return seal === undefined ? part : { ...part, seal }
  }
  const settle = (item: Item, parts: readonly Part[], given: Tracked | undefined): void => {
    const keys = partKeys(item)
    for (const [index, whole] of parts.entries()) {
      const found = given?.parts.get(keys[index] ?? 'content 0')
      if (whole.type === 'refusal' || (whole.type === 'tool-call' && whole.by === 'client')) ends.push(whole)
      if (found === undefined) {
        blocks.add(sealed(whole))
        continue
      }
      const { block, shell } = found
      blocks.grow(block, shellOf(whole).text.slice(block.length))
      for (const change of lateMembers(shell, whole)) block.changes.push(change)
    }
    for (const { block } of given?.parts.values() ?? []) block.complete = true
  }
  const begin = ({ parts }: Tracked, key: string, given: Part | undefined): Begun | undefined => {
    if (given === undefined) return undefined
    const shell = sealed(given)
    const begun = { shell, block: blocks.start(shell) }
    parts.set(key, begun)
    return begun
  }
  const items: Items = {
    added: (index, item) => received.begin(index, item, { item, parts: new Map() }),
    delta(event) {
      const found = received.find(event.output_index ?? 0, event.item_id)
      if (found === undefined || typeof event.delta !== 'string') return
      const key = partKey(event)
      const part = found.parts.get(key) ?? begin(found, key, startPart(event, found.item, context))
      growing = part?.block
      items.grow(event.delta)
    },
    grow(text) {
      if (growing === undefined) return false
      blocks.grow(growing, text)
      return true
    },
    part(event) {
      const found = received.find(event.output_index ?? 0, event.item_id)
      const key = partKey(event)
      if (found !== undefined && !found.parts.has(key)) begin(found, key, announcedPart(event, found.item, context))
    },
    done(index, item) {
      const given = received.find(index, idOf(item))
      if (!received.end(index, item)) return
      const opened = item.type === 'reasoning' ? openReasoning(item, context) : undefined
      if (opened?.target === 'next') forNext = opened.seal
      else if (opened?.target === 'previous') {
        if (opened.seal !== undefined) blocks.last()?.changes.push({ seal: opened.seal })
      } else settle(item, decodeItem(item, index, context), given)
      const tokens = tokensOf(item)
      counted += tokens.length
      if (tokens.length > 0) emit({ type: 'logprobs', tokens })
    },
    rest(output) {
      const missing = new Set(received.missing(output))
      for (const [index, item] of output.entries()) if (missing.has(item)) items.done(index, item)
    },
    close() {
      for (const { parts } of received.values()) for (const { block } of parts.values()) block.complete = true
      blocks.finish()
    },
    ends,
    counted: () => counted,
  }
  return items
}

/** One response: its items, its start and its end. */
interface Answer extends Pick<Items, 'added' | 'delta' | 'grow' | 'part' | 'done' | 'close'> {
  start(response: ResponsesResponse): void
  finish(response: ResponsesResponse): void
  readonly usage: () => Usage | undefined
  readonly terms: () => PriceTerms | undefined
}

function createAnswer({ emit, isStarted, start: begin, end }: Decoded, context: DecodeContext): Answer {
  const items = createItems(emit, context)
  const counts = createCounts(context.counted)
  let serviceTier: string | undefined
  const searched = createSearchCounter()
  let last: ResponsesResponse | undefined
  const usage = (): Usage | undefined => {
    const wire: WireUsage | undefined = counts.object()
    return withSearches(wire && decodeUsage(wire), searched.count(last))
  }
  const start = (response: ResponsesResponse): void => {
    if (isStarted()) return
    const { extras: late, ...head } = decodeHead(response, context)
    // Extras come at the end. A client of the same protocol gets those of the start too: what the upstream repeats.
    begin({ response: late !== undefined && context.caller === NAME ? { ...head, extras: late } : head })
  }
  return {
    start,
    added(index, item) {
      start({})
      items.added(index, item)
    },
    delta: items.delta,
    grow: items.grow,
    part: items.part,
    done(index, item) {
      start({})
      searched.add(index, item)
      items.done(index, item)
    },
    close: items.close,
    finish(response) {
      last = response
      start(response)
      const output = listOf(response.output).filter(isObject)
      items.rest(output)
      items.close()
      const late = output.flatMap(tokensOf).slice(items.counted())
      if (late.length > 0) emit({ type: 'logprobs', tokens: late })
      const { extras } = decodeHead(response, context)
      if (extras !== undefined) emit({ type: 'extras', of: 'response', extras })
      if (isObject(response.usage)) counts.add(response.usage)
      const candidate = { finish: decodeFinish(response, items.ends) }
      serviceTier = decodeTier(response.service_tier)
      end(defined({ candidate, usage: counts.object() && usage(), serviceTier }))
    },
    usage,
    terms: () => tierTerms(serviceTier),
  }
}
