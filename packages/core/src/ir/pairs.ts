import { createQueues, type Queues } from '../lib/queue.ts'
import type { Message } from './request.ts'
import type { Part, ToolCall, ToolResult } from './part.ts'

/** Ids and names that the conversation implies: a call without an id is numbered by position, a result belongs to a call. */
export interface Pairs {
  /** The id of a call, or of the call that a result answers. */
  id(part: ToolCall | ToolResult): string
  /** The same, with another id for each call: some upstreams number the calls of every turn from 0. */
  distinctId(part: ToolCall | ToolResult): string
  /** The name of the tool of a result. */
  name(part: ToolResult): string | undefined
}

/** The ids and names that a conversation implies, computed on first use. */
export function pairCalls(messages: readonly Message[]): Pairs {
  let found: ReturnType<typeof findPairs> | undefined
  const pairs = () => (found ??= findPairs(messages))
  let repeats: boolean | undefined
  const id = (part: ToolCall | ToolResult) => idOf(part) ?? pairs().ids.get(part) ?? madeId(0)
  return {
    id,
    distinctId(part) {
      repeats ??= repeatsId(messages)
      return (repeats ? pairs().ids.get(part) : undefined) ?? id(part)
    },
    name: (part) => part.name ?? pairs().names.get(part),
  }
}

/** The id on the wire. */
function idOf(part: Part): string | undefined {
  return part.type === 'tool-call' ? part.id : part.type === 'tool-result' ? part.callId : undefined
}

/** Whether two calls have one id. */
function repeatsId(messages: readonly Message[]): boolean {
  const seen = new Set<string>()
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type !== 'tool-call' || part.id === undefined) continue
      if (seen.has(part.id)) return true
      seen.add(part.id)
    }
  }
  return false
}

interface Call {
  readonly id: string
  /** The id on the wire, which several calls may have. */
  readonly key: string
  readonly name: string
  /** The turn of its result. */
  answered?: number
}

function findPairs(messages: readonly Message[]): { ids: Map<Part, string>; names: Map<Part, string> } {
  const ids = new Map<Part, string>()
  const names = new Map<Part, string>()
  // Most conversations need no id of ours.
  let all: Set<string | undefined> | undefined
  const isTaken = (id: string) => (all ??= new Set(messages.flatMap(({ parts }) => parts.map(idOf)))).has(id)
  let turn = 0
  // A call can have a second result in the same turn, by its id.
  const byId = createQueues<Call>((call) => call.answered !== undefined && call.answered < turn)
  const open: OpenCalls = { calls: [], head: 0 }
  let count = 0
  const next = () => {
    while (isTaken(madeId(count))) count++
    return madeId(count++)
  }
  const distinct = createNumbering(isTaken)
  for (const message of messages) {
    if (message.role === 'assistant') turn++
    for (const part of message.parts) {
      if (part.type === 'tool-call') {
        const id = part.id === undefined ? next() : distinct(part.id)
        const call: Call = { id, key: part.id ?? id, name: part.name }
        ids.set(part, id)
        byId.add(call.key, call)
        addCall(open, call)
      } else if (part.type === 'tool-result') {
        const { callId } = part
        const call = answeredBy(open, part) ?? byId.first(callId)
        ids.set(part, call?.id ?? callId ?? next())
        if (call === undefined) continue
        call.answered = turn
        names.set(part, call.name)
      }
    }
  }
  return { ids, names }
}

/** The id itself for the first call that has it, and a numbered one for each later call. */
function createNumbering(isTaken: (id: string) => boolean): (id: string) => string {
  const numbers = new Map<string, number>()
  const used = new Set<string>()
  return (id) => {
    let number = numbers.get(id) ?? 1
    let distinct = number === 1 ? id : `${id}_${number}`
    while (used.has(distinct) || (number > 1 && isTaken(distinct))) distinct = `${id}_${++number}`
    numbers.set(id, number + 1)
    used.add(distinct)
    return distinct
  }
}

/** Calls without results. */
interface OpenCalls {
  readonly calls: Call[]
  /** All calls before it are answered. */
  head: number
  /** Made for many calls; searching a few is faster. */
  index?: { readonly byKey: Queues<Call>; readonly byName: Queues<Call> }
}

const FEW = 8

function addCall(open: OpenCalls, call: Call): void {
  const { calls } = open
  calls.push(call)
  if (calls.length <= FEW) return
  const added = open.index === undefined ? calls : [call]
  const index = (open.index ??= { byKey: createQueues(isAnswered), byName: createQueues(isAnswered) })
  for (const each of added) {
    index.byKey.add(each.key, each)
    index.byName.add(each.name, each)
  }
}

function firstOpen(open: OpenCalls): Call | undefined {
  while (open.calls[open.head]?.answered !== undefined) open.head++
  return open.calls[open.head]
}

/** The call that a result answers: by its id, or without one by name, or by order. */
function answeredBy(open: OpenCalls, { callId, name }: ToolResult): Call | undefined {
  const { calls, index } = open
  if (callId !== undefined)
    return index === undefined
      ? calls.find((call) => call.key === callId && !isAnswered(call))
      : index.byKey.first(callId)
  const named =
    index === undefined ? calls.find((call) => call.name === name && !isAnswered(call)) : index.byName.first(name)
  return named ?? firstOpen(open)
}

function isAnswered(call: Call): boolean {
  return call.answered !== undefined
}

/** A plain number could be a client's own id. */
function madeId(count: number): string {
  return `dg_call_${count}`
}

/** The same for a stream, whose end is not known: calls without an id are numbered when they begin. */
export function countCalls(): Pairs {
  let count = 0
  let last = madeId(0)
  const ids = new Map<Part, string>()
  const distinctIds = new Map<Part, string>()
  const distinct = createNumbering(() => false)
  const pairs: Pairs = {
    id(part) {
      last = idOf(part) ?? ids.get(part) ?? (part.type === 'tool-call' ? madeId(count++) : last)
      ids.set(part, last)
      return last
    },
    distinctId(part) {
      const known = distinctIds.get(part)
      if (known !== undefined) return known
      const id = part.type === 'tool-call' ? distinct(pairs.id(part)) : pairs.id(part)
      distinctIds.set(part, id)
      return id
    },
    name: (part) => part.name,
  }
  return pairs
}

/** A call without its result, or a result without its call: every upstream refuses such a history. */
export interface Orphan {
  readonly kind: 'call' | 'result'
  readonly id: string
  readonly message: number
}

/** The first orphan. Calls of the last message may still be open. A result without an id answers by name, or by order. */
export function findOrphan(messages: readonly Message[]): Orphan | undefined {
  let waiting: OpenCalls | undefined // of one turn
  let asked = 0
  let hasUnknown = false // a part of an unknown kind may be a call or a result
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (message === undefined) break
    if (message.role === 'assistant') {
      const goesOn = messages[index - 1]?.role === 'assistant' // consecutive messages of one role are one turn
      const call = goesOn || hasUnknown || waiting === undefined ? undefined : firstOpen(waiting)
      if (call !== undefined) return { kind: 'call', id: call.id, message: asked }
      waiting = waitFor(message, goesOn ? waiting : undefined)
      asked = index
      hasUnknown = hasOpaque(message) || (goesOn && hasUnknown)
      continue
    }
    hasUnknown ||= hasOpaque(message)
    for (const part of message.parts) {
      if (part.type !== 'tool-result' || part.by === 'server') continue
      const call = waiting && answeredBy(waiting, part)
      if (call === undefined && part.callId !== undefined && !hasUnknown)
        return { kind: 'result', id: part.callId, message: index }
      if (call !== undefined) call.answered = index
    }
  }
  const isOpen = !hasUnknown && asked !== messages.length - 1
  const call = isOpen && waiting !== undefined ? firstOpen(waiting) : undefined
  return call === undefined ? undefined : { kind: 'call', id: call.id, message: asked }
}

function hasOpaque({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'opaque')
}

/** Adds the calls of a message to those of its turn; undefined if there are none. */
function waitFor(message: Message, before: OpenCalls | undefined): OpenCalls | undefined {
  let waiting = before
  for (const part of message.parts) {
    if (part.type !== 'tool-call' || part.by !== 'client' || part.id === undefined) continue
    waiting ??= { calls: [], head: 0 }
    addCall(waiting, { id: part.id, key: part.id, name: part.name })
  }
  return waiting
}
