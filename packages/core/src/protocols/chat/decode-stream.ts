import { DragomanError } from '../../ir/error.ts'
import { keep, newlyUnknown, unknownOf } from '../../ir/extras.ts'
import type { Part } from '../../ir/part.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { overwrite, type Usage } from '../../ir/usage.ts'
import { createRepeat } from '../../lib/repeat.ts'
import { defined } from '../../lib/defined.ts'
import {
  isEmpty,
  isObject,
  listOf,
  numberOf,
  objectOf,
  parseJson,
  stringOf,
  wordOf,
  type Json,
} from '../../lib/json.ts'
import { createLanes, type Lane } from '../../lib/lanes.ts'
import { createObjectWatch, type Watch } from '../../lib/object-watch.ts'
import { createTagSplitter } from '../../lib/tag-splitter.ts'
import { asUpstreamError } from '../lenient.ts'
import type { DecodeContext, StreamDecoder } from '../protocol.ts'
import { createCitationReader, createSourceReader } from './citations.ts'
import { decodeContent } from './content.ts'
import { answerDialect } from './dialect.ts'
import { decodeErrorBody, isFlatError } from './error.ts'
import { decodeLogprob } from './logprobs.ts'
import { decodeDetail, decodeThoughts, THINK_TAGS } from './reasoning.ts'
import { decodeFinish } from './response.ts'
import {
  NAME,
  type WireCallDelta,
  type WireChoice,
  type WireChunk,
  type WireDelta,
  type WireDetail,
  type WirePart,
} from './schema.ts'
import { decodeShell } from './calls.ts'
import { decodeUsage } from './usage.ts'

type Kind = 'text' | 'refusal' | 'reasoning' | 'call' | 'other'

interface BlockLane extends Lane {
  readonly kind: Kind
  /** Reasoning: the entry of reasoning_details it grows by; undefined when it grows by plain strings. */
  readonly detail?: number | undefined
  /** Reasoning by plain strings whose entry has come: what follows is another block. */
  settled?: boolean
}

interface Call {
  readonly lane: BlockLane
  readonly id: string | undefined
}

/** Wire chunks to IR events. Calls that grow side by side are put one after another. */
export function decodeStream(given: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  const dialect = answerDialect(context)
  const repeat = createRepeat<WireChunk>()
  let growing: BlockLane | undefined // the block that a repeated chunk grows
  let emitted = 0
  let last: StreamEvent | undefined
  const emit: Emit<StreamEvent> = (event) => {
    emitted++
    last = event
    given(event)
  }
  const lanes = createLanes<BlockLane>()
  const callsByIndex = new Map<number, Call>()
  const callsById = new Map<string, Call>()
  let lastCall: Call | undefined
  const told = new Set<string>() // entries of reasoning_details that have come whole
  const seen = new Map<string, unknown>()
  const citations = createCitationReader(emit)
  const sources = dialect.sources ? createSourceReader(emit) : undefined
  let usage: Usage | undefined
  let finishReason: string | null | undefined
  let started = false
  let done = false

  const laneOf = (kind: Kind, part: Part, watch?: Watch, detail?: number): BlockLane => ({
    kind,
    detail,
    open: () => emit({ type: 'block-start', part }),
    grow: (text) => emit({ type: 'block-delta', text }),
    close() {
      if (kind === 'text') sources?.settle()
      emit({ type: 'block-end' })
    },
    watch,
  })
  const grow = (lane: BlockLane, text: string): boolean => {
    if (lane.kind === 'text') citations.said(text)
    return lanes.grow(lane, text)
  }
  const say = (kind: 'text' | 'refusal', text: string) => {
    let lane = lanes.active
    if (lane?.kind !== kind) {
      if (kind === 'text') citations.begin()
      lanes.start((lane = laneOf(kind, { type: kind, text: '' })))
    }
    grow(lane, text)
    if (kind === 'text') citations.settle()
  }
  const think = (text: string) => {
    let lane = lanes.active
    if (lane?.kind !== 'reasoning' || lane.settled || lane.detail !== undefined) {
      lanes.start((lane = laneOf('reasoning', { type: 'reasoning', text: '' })))
    }
    lanes.grow(lane, text)
  }
  const splitter = dialect.tags
    ? createTagSplitter({ ...THINK_TAGS, inside: think, outside: (text) => say('text', text) })
    : undefined
  const hear = (content: string | readonly WirePart[]) => {
    if (typeof content !== 'string') decodeThoughts(decodeContent(content), { tags: false }).forEach(tell)
    else if (splitter === undefined) say('text', content)
    else splitter.push(content)
  }
  /** A part of an upstream that says its content in parts; those of one kind in a row go on. */
  const tell = (part: Part) => {
    if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'refusal')
      return lanes.start(laneOf('other', part))
    if (part.text !== '') (part.type === 'text' ? hear : part.type === 'reasoning' ? think : refuse)(part.text)
    const { extras } = part
    if (extras !== undefined && lanes.active?.kind === part.type) emit({ type: 'block-patch', extras })
  }
  const refuse = (text: string) => {
    splitter?.flush()
    say('refusal', text)
  }
  const detail = (wire: WireDetail, position: number) => {
    const { part, seal, index = position } = decodeDetail(wire, context)
    const entry = `${part === undefined ? 'seal' : 'part'} ${index}`
    if (told.has(entry)) return
    const lane = lanes.active
    const patch = defined({ seal: part?.seal, extras: part?.extras, summary: part?.summary })
    if (part === undefined) {
      told.add(entry)
      if (seal !== undefined && lane !== undefined) emit({ type: 'block-patch', seal })
    } else if (lane?.kind === 'reasoning' && lane.detail === undefined && !lane.settled && !part.hidden) {
      told.add(entry) // the whole of what plain strings have streamed
      lane.settled = true
      if (!isEmpty(patch)) emit({ type: 'block-patch', ...patch })
    } else if (part.hidden) {
      told.add(entry)
      lanes.start({ ...laneOf('reasoning', part), settled: true })
    } else if (lane?.kind === 'reasoning' && lane.detail === index) {
      if (part.text !== '') lanes.grow(lane, part.text)
      if (part.seal !== undefined) emit({ type: 'block-patch', seal: part.seal })
      if (part.seal !== undefined) told.add(entry)
    } else {
      if (part.seal !== undefined) told.add(entry) // signed is complete
      const next = laneOf('reasoning', { ...part, text: '' }, undefined, index)
      lanes.start(next)
      if (part.text !== '') lanes.grow(next, part.text)
    }
  }
  const call = (wire: WireCallDelta) => {
    const { index } = wire
    const id = wire.id ?? ''
    const known = index !== undefined ? callsByIndex.get(index) : id === '' ? lastCall : callsById.get(id)
    const another = known === undefined || (id !== '' && known.id !== undefined && known.id !== id)
    const text = stringOf(wire.function?.arguments ?? wire.custom?.input)
    const lane = another ? startCall(wire, index, id) : known.lane
    if (text !== '' && !lanes.grow(lane, text) && text.trim() !== '') {
      fail(new DragomanError('upstream', 'The upstream sent more arguments for a tool call that was complete.'))
    }
  }
  const startCall = (wire: WireCallDelta, index: number | undefined, id: string): BlockLane => {
    splitter?.flush()
    const part = decodeShell(wire, context)
    const lane = laneOf('call', part, part.custom ? NEVER : createObjectWatch())
    lastCall = { lane, id: id === '' ? undefined : id }
    if (index !== undefined) callsByIndex.set(index, lastCall)
    if (id !== '' && !callsById.has(id)) callsById.set(id, lastCall)
    lanes.start(lane)
    return lane
  }
  /** What a chunk says of the response: its head first, later what is new. */
  const head = (chunk: WireChunk) => {
    const { id, model, created } = chunk
    const { extras } = keep({}, NAME, newlyUnknown(chunk, dialect.known.chunk, seen))
    const response = { id: wordOf(id), model: wordOf(model), created: numberOf(created), extras }
    if (!started) emit({ type: 'start', response: defined(response) })
    else if (extras !== undefined) emit({ type: 'extras', of: 'response', extras })
    started = true
  }
  const choose = (choice: WireChoice & { readonly delta?: WireDelta }) => {
    const delta = objectOf(choice.delta)
    const details = listOf(delta.reasoning_details)
    if (details.length > 0) details.forEach(detail)
    else if (delta.reasoning_content || delta.reasoning) think(delta.reasoning_content || delta.reasoning || '')
    if (delta.content) hear(delta.content)
    if (delta.refusal) refuse(delta.refusal)
    if (delta.annotations != null) citations.cite(listOf(delta.annotations), lanes.active?.kind === 'text')
    if (delta.tool_calls != null) listOf(delta.tool_calls).forEach(call)
    const tokens = choice.logprobs?.content ?? []
    if (tokens.length > 0) emit({ type: 'logprobs', tokens: tokens.map(decodeLogprob) })
    if (choice.finish_reason != null) finishReason = choice.finish_reason
    const unknown = unknownOf(choice, dialect.known.choice)
    if (unknown === undefined) return
    const { delta: message, ...others } = unknown
    emit({
      type: 'extras',
      of: 'candidate',
      extras: { [NAME]: message === undefined ? others : { ...others, message } },
    })
  }
  const fail = (error: DragomanError) => {
    if (done) return
    close()
    emit({ type: 'error', error })
  }
  const close = () => {
    splitter?.flush()
    lanes.finish()
    done = true
  }
  const finish = () => {
    close()
    const uncited = sources?.rest()
    if (uncited !== undefined) emit({ type: 'extras', of: 'response', extras: { [NAME]: uncited } })
    const annotations = citations.rest() as readonly Json[] | undefined // parsed JSON
    if (annotations !== undefined)
      emit({ type: 'extras', of: 'candidate', extras: { [NAME]: { message: { annotations } } } })
    emit({
      type: 'end',
      candidate: { finish: decodeFinish(finishReason, lastCall !== undefined, dialect) },
      ...(usage === undefined ? {} : { usage }),
    })
  }

  const read = (data: string) => {
    const again = growing !== undefined && growing === lanes.active ? repeat.text(data) : undefined
    if (again !== undefined && growing !== undefined) {
      if (again !== '') grow(growing, again)
      return
    }
    repeat.forget()
    emitted = 0
    if (data === '[DONE]') {
      if (started) finish()
      else fail(new DragomanError('upstream', 'The upstream ended its stream without an answer.'))
      return
    }
    const chunk = parseJson(data) as WireChunk | null | undefined // read leniently
    if (typeof chunk !== 'object' || chunk === null)
      return fail(new DragomanError('upstream', 'The upstream sent a stream event that is not a JSON object.'))
    if (chunk.error != null || (chunk.choices === undefined && isFlatError(chunk))) return fail(decodeErrorBody(chunk))
    head(chunk)
    sources?.read(chunk)
    const choice = chunk.choices?.[0]
    if (choice !== undefined && (choice.index ?? 0) === 0) choose(choice)
    const counted = chunk.usage ?? (dialect.usage.inChoice ? choice?.usage : undefined)
    if (isObject(counted)) usage = overwrite(usage, decodeUsage(counted, dialect.usage))
    if (splitter?.through === false) return // what may be a tag is read piece by piece
    if (emitted === 1 && last?.type === 'block-delta' && last.text === grownBy(chunk)) {
      growing = lanes.active
      repeat.learn(data, last.text, grownBy)
    }
  }

  return {
    push(data) {
      if (done) return
      try {
        read(data)
      } catch (error) {
        fail(asUpstreamError(error))
      }
    },
    end() {
      if (done) return
      if (finishReason != null) finish()
      else fail(new DragomanError('interrupted', 'The upstream ended its stream before the answer was complete.'))
    },
    usage: () => usage,
  }
}

/** The text that a chunk adds to a block, where it is the only thing it does. */
function grownBy(chunk: WireChunk): string | undefined {
  const delta = chunk.choices?.[0]?.delta
  return (
    delta?.tool_calls?.[0]?.function?.arguments ||
    stringOf(delta?.content) ||
    delta?.reasoning_content ||
    delta?.reasoning ||
    undefined
  )
}

/** Free text may always go on. */
const NEVER: Watch = { add() {}, complete: () => false }
