import { DragomanError } from '../../ir/error.ts'
import { leftover } from '../../ir/extras.ts'
import type { Citation, Part, ToolCall } from '../../ir/part.ts'
import type { Emit, Machine, StreamEvent } from '../../ir/stream.ts'
import { overwrite, type Usage } from '../../ir/usage.ts'
import { isEmpty, isObject, listOf, parseJson, type Json } from '../../lib/json.ts'
import { createLanes, type Lane } from '../../lib/lanes.ts'
import { asUpstreamError } from '../lenient.ts'
import type { DecodeContext } from '../protocol.ts'
import { decodeCitations } from './citations.ts'
import { decodeErrorBody } from './error.ts'
import { decodeLogprob } from './logprobs.ts'
import { decodeDetail } from './reasoning.ts'
import { decodeFinish } from './response.ts'
import {
  NAME,
  type ChatResponse,
  type WireAnnotation,
  type WireChoice,
  type WireDetail,
  type WireToolCall,
} from './schema.ts'
import { decodeCall } from './calls.ts'
import { decodeUsage } from './usage.ts'

interface WireChunk extends Omit<ChatResponse, 'choices'> {
  readonly choices?: readonly (WireChoice & { readonly delta?: WireDelta })[]
  readonly error?: unknown
}

interface WireDelta {
  readonly role?: string
  readonly content?: string | null
  readonly refusal?: string | null
  readonly reasoning?: string | null
  readonly reasoning_content?: string | null
  readonly reasoning_details?: readonly WireDetail[] | null
  readonly annotations?: readonly WireAnnotation[] | null
  readonly tool_calls?: readonly WireCallDelta[] | null
}

interface WireCallDelta {
  readonly index?: number
  readonly id?: string | null
  readonly type?: string
  readonly function?: { readonly name?: string; readonly arguments?: string | null }
  readonly custom?: { readonly name?: string; readonly input?: string | null }
}

type Kind = 'text' | 'refusal' | 'reasoning' | 'call'

interface BlockLane extends Lane {
  readonly kind: Kind
  /** Reasoning: the entry of reasoning_details it grows by; undefined when it grows by plain strings. */
  readonly detail?: number | undefined
  /** Reasoning by plain strings whose entry has come: what follows is another block. */
  settled?: boolean
}

/** Wire chunks to IR events. Calls that grow side by side are put one after another. */
export function decodeStream(emit: Emit<StreamEvent>, context: DecodeContext): Machine<string> {
  const lanes = createLanes<BlockLane>()
  const calls: { readonly lane: BlockLane; readonly index: number | undefined; readonly id: string | undefined }[] = []
  const told = new Set<string>() // entries of reasoning_details that have come whole
  const seen = new Map<string, unknown>()
  let cited: readonly WireAnnotation[] = []
  const early: Citation[] = [] // citations that came before the text
  let textSeen = 0
  let textStart = 0 // of the open text among all that was said
  let usage: Usage | undefined
  let finishReason: string | null | undefined
  let started = false
  let done = false

  const laneOf = (kind: Kind, part: Part, complete: Lane['complete'] = () => true, detail?: number): BlockLane => ({
    kind,
    detail,
    open: () => emit({ type: 'block-start', part }),
    grow: (text) => emit({ type: 'block-delta', text }),
    close: () => emit({ type: 'block-end' }),
    complete,
  })
  const say = (kind: 'text' | 'refusal', text: string) => {
    let lane = lanes.active
    if (lane?.kind !== kind) {
      if (kind === 'text') textStart = textSeen
      lanes.start((lane = laneOf(kind, { type: kind, text: '' })))
    }
    lanes.grow(lane, text)
    if (kind !== 'text') return
    textSeen += text.length
    for (const citation of early.splice(0)) citeNow(citation)
  }
  const think = (text: string) => {
    let lane = lanes.active
    if (lane?.kind !== 'reasoning' || lane.settled || lane.detail !== undefined) {
      lanes.start((lane = laneOf('reasoning', { type: 'reasoning', text: '' })))
    }
    lanes.grow(lane, text)
  }
  const detail = (wire: WireDetail, position: number) => {
    const { part, seal, index = position } = decodeDetail(wire, context)
    const entry = `${part === undefined ? 'seal' : 'part'} ${index}`
    if (told.has(entry)) return
    const lane = lanes.active
    const patch = {
      ...(part?.seal === undefined ? {} : { seal: part.seal }),
      ...(part?.extras === undefined ? {} : { extras: part.extras }),
    }
    if (part === undefined) {
      told.add(entry)
      if (seal !== undefined && lane !== undefined) emit({ type: 'block-patch', seal })
    } else if (lane?.kind === 'reasoning' && lane.detail === undefined && !lane.settled && !part.hidden) {
      told.add(entry) // the whole of what plain strings have streamed
      lane.settled = true
      if (!isEmpty(patch) || part.summary)
        emit({ type: 'block-patch', ...patch, ...(part.summary ? { summary: true } : {}) })
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
  /** Annotations that grow from chunk to chunk are told once; they point into all the text there is. */
  const cite = (annotations: readonly WireAnnotation[]) => {
    const known = cited.length > 0 && JSON.stringify(annotations.slice(0, cited.length)) === JSON.stringify(cited)
    const fresh = known ? annotations.slice(cited.length) : annotations
    cited = known ? annotations : [...cited, ...fresh]
    const citations = decodeCitations(fresh)
    if (citations !== undefined && textSeen === 0) early.push(...citations)
    else if (citations !== undefined && lanes.active?.kind === 'text') citations.forEach(citeNow)
    else
      emit({
        type: 'extras',
        of: 'candidate',
        extras: { [NAME]: { message: { annotations: cited as readonly Json[] } } },
      }) // parsed JSON
  }
  const citeNow = (citation: Citation) => {
    const { range } = citation
    const placed =
      range === undefined || textStart === 0 ? {} : { range: [range[0] - textStart, range[1] - textStart] as const }
    emit({ type: 'block-patch', citation: { ...citation, ...placed } })
  }
  const call = (wire: WireCallDelta) => {
    const { index } = wire
    const id = wire.id ?? ''
    const known =
      index === undefined
        ? id === ''
          ? calls.at(-1)
          : calls.find((each) => each.id === id)
        : calls.findLast((each) => each.index === index)
    const another = known === undefined || (id !== '' && known.id !== undefined && known.id !== id)
    const text = wire.function?.arguments ?? wire.custom?.input ?? ''
    const lane = another ? startCall(wire, index, id) : known.lane
    if (text !== '' && !lanes.grow(lane, text) && text.trim() !== '') {
      fail(new DragomanError('upstream', 'The upstream sent more arguments for a tool call that was complete.'))
    }
  }
  const startCall = (wire: WireCallDelta, index: number | undefined, id: string): BlockLane => {
    const part = shellOf(wire, context)
    const lane = laneOf('call', part, part.custom ? () => false : isJsonObject)
    calls.push({ lane, index, id: id === '' ? undefined : id })
    lanes.start(lane)
    return lane
  }
  const start = (chunk: WireChunk) => {
    started = true
    const { id, object, created, model, choices, usage: counted, ...rest } = chunk
    for (const [key, value] of Object.entries(rest)) seen.set(key, value)
    const head = {
      ...(id === undefined ? {} : { id }),
      ...(model === undefined ? {} : { model }),
      ...(created === undefined ? {} : { created }),
    }
    emit({ type: 'start', response: { ...head, ...leftover(NAME, rest) } })
  }
  const choose = (choice: WireChoice & { readonly delta?: WireDelta }) => {
    const { delta } = choice
    if (typeof delta === 'object' && delta !== null) {
      if (listOf(delta.reasoning_details).length > 0) listOf(delta.reasoning_details).forEach(detail)
      else if (delta.reasoning_content || delta.reasoning) think(delta.reasoning_content || delta.reasoning || '')
      if (delta.content) say('text', delta.content)
      if (delta.refusal) say('refusal', delta.refusal)
      if (delta.annotations != null) cite(listOf(delta.annotations))
      if (delta.tool_calls != null) listOf(delta.tool_calls).forEach(call)
    }
    if (choice.logprobs?.content != null && choice.logprobs.content.length > 0) {
      emit({ type: 'logprobs', tokens: choice.logprobs.content.map(decodeLogprob) })
    }
    if (choice.finish_reason != null) finishReason = choice.finish_reason
    const unscored = choice.logprobs == null ? undefined : unknownOf(choice.logprobs, KNOWN_LOGPROBS)
    const unknown =
      unscored === undefined
        ? unknownOf(choice, KNOWN_CHOICE)
        : { ...unknownOf(choice, KNOWN_CHOICE), logprobs: unscored }
    const said = typeof delta !== 'object' || delta === null ? undefined : unknownOf(delta, KNOWN_DELTA)
    if (unknown !== undefined || said !== undefined) {
      emit({
        type: 'extras',
        of: 'candidate',
        extras: { [NAME]: { ...unknown, ...(said === undefined ? {} : { message: said }) } as never },
      })
    }
  }
  const later = (chunk: WireChunk) => {
    const unknown = unknownOf(chunk, KNOWN_CHUNK, seen)
    if (unknown !== undefined) emit({ type: 'extras', of: 'response', extras: { [NAME]: unknown as never } })
  }
  const fail = (error: DragomanError) => {
    if (done) return
    lanes.finish()
    done = true
    emit({ type: 'error', error })
  }
  const finish = () => {
    lanes.finish()
    done = true
    emit({
      type: 'end',
      candidate: { finish: decodeFinish(finishReason, calls.length > 0) },
      ...(usage === undefined ? {} : { usage }),
    })
  }

  const read = (data: string) => {
    if (data === '[DONE]') {
      if (started) finish()
      else fail(new DragomanError('upstream', 'The upstream ended its stream without an answer.'))
      return
    }
    const chunk = parseJson(data) as WireChunk | null | undefined // read leniently
    if (typeof chunk !== 'object' || chunk === null)
      return fail(new DragomanError('upstream', 'The upstream sent a stream event that is not a JSON object.'))
    if (chunk.error != null) return fail(decodeErrorBody(chunk))
    if (started) later(chunk)
    else start(chunk)
    const choice = chunk.choices?.[0]
    if (choice !== undefined && (choice.index ?? 0) === 0) choose(choice)
    if (isObject(chunk.usage)) usage = overwrite(usage, decodeUsage(chunk.usage))
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
  }
}

const KNOWN_CHUNK: ReadonlySet<string> = new Set(['id', 'object', 'created', 'model', 'choices', 'usage'])
const KNOWN_CHOICE: ReadonlySet<string> = new Set(['index', 'delta', 'finish_reason', 'logprobs'])
const KNOWN_LOGPROBS: ReadonlySet<string> = new Set(['content', 'refusal'])
const KNOWN_DELTA: ReadonlySet<string> = new Set([
  'role',
  'content',
  'refusal',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'annotations',
  'tool_calls',
])

/** The members that nobody here knows; those that just repeat what came before are not new. */
function unknownOf(wire: object, known: ReadonlySet<string>, seen?: Map<string, unknown>): object | undefined {
  let found: [string, unknown][] | undefined
  for (const key in wire) {
    if (known.has(key)) continue
    const value: unknown = (wire as { readonly [key: string]: unknown })[key] // an object that came as JSON
    if (seen !== undefined && seen.get(key) === value) continue
    seen?.set(key, value)
    ;(found ??= []).push([key, value])
  }
  return found === undefined ? undefined : Object.fromEntries(found)
}

function shellOf(wire: WireCallDelta, context: DecodeContext): ToolCall {
  const { index, id, ...rest } = wire
  const custom = wire.type === 'custom'
  const whole = custom
    ? { ...rest, id: id ?? '', custom: { ...wire.custom, input: '' } }
    : { ...rest, id: id ?? '', type: 'function', function: { ...wire.function, arguments: '' } }
  const part = decodeCall(whole as WireToolCall, context) // its strings are filled in
  if (part.id !== '') return part
  const { id: _none, ...unnamed } = part
  return unnamed
}

function isJsonObject(text: string): boolean {
  return text.trimEnd().endsWith('}') && parseJson(text) !== undefined
}
