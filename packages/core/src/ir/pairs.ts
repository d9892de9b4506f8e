import { createQueue, createQueues } from '../lib/queue.ts'
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
  readonly name: string
  /** The turn of its result. */
  answered?: number
}

function findPairs(messages: readonly Message[]): { ids: Map<Part, string>; names: Map<Part, string> } {
  const ids = new Map<Part, string>()
  const names = new Map<Part, string>()
  const taken = new Set(messages.flatMap(({ parts }) => parts.map(idOf)))
  let turn = 0
  // A call can have a second result in the same turn, by its id.
  const byId = createQueues<Call>((call) => call.answered !== undefined && call.answered < turn)
  const open = createOpenCalls()
  let count = 0
  const next = () => {
    while (taken.has(madeId(count))) count++
    return madeId(count++)
  }
  const distinct = createNumbering(taken)
  for (const message of messages) {
    if (message.role === 'assistant') turn++
    for (const part of message.parts) {
      if (part.type === 'tool-call') {
        const call: Call = { id: part.id === undefined ? next() : distinct(part.id), name: part.name }
        ids.set(part, call.id)
        byId.add(part.id ?? call.id, call)
        open.add(part.id ?? call.id, call)
      } else if (part.type === 'tool-result') {
        const { callId } = part
        const call = open.answeredBy(part) ?? byId.first(callId)
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
function createNumbering(taken: ReadonlySet<string | undefined>): (id: string) => string {
  const numbers = new Map<string, number>()
  const used = new Set<string>()
  return (id) => {
    let number = numbers.get(id) ?? 1
    let distinct = number === 1 ? id : `${id}_${number}`
    while (used.has(distinct) || (number > 1 && taken.has(distinct))) distinct = `${id}_${++number}`
    numbers.set(id, number + 1)
    used.add(distinct)
    return distinct
  }
}

/** Calls without results. */
interface OpenCalls {
  /** The id is that of the wire, which several calls may have. */
  add(id: string, call: Call): void
  first(): Call | undefined
  /** The call that a result answers: by its id, or without one by name, or by order. */
  answeredBy(result: ToolResult): Call | undefined
}

function createOpenCalls(): OpenCalls {
  const isAnswered = (call: Call) => call.answered !== undefined
  const byId = createQueues(isAnswered)
  const byName = createQueues(isAnswered)
  const all = createQueue(isAnswered)
  return {
    add(id, call) {
      byId.add(id, call)
      byName.add(call.name, call)
      all.add(call)
    },
    first: () => all.first(),
    answeredBy: ({ callId, name }) => (callId === undefined ? (byName.first(name) ?? all.first()) : byId.first(callId)),
  }
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
  const distinct = createNumbering(new Set())
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
      const call = goesOn || hasUnknown ? undefined : waiting?.first()
      if (call !== undefined) return { kind: 'call', id: call.id, message: asked }
      waiting = waitFor(message, goesOn ? waiting : undefined)
      asked = index
      hasUnknown = hasOpaque(message) || (goesOn && hasUnknown)
      continue
    }
    hasUnknown ||= hasOpaque(message)
    for (const part of message.parts) {
      if (part.type !== 'tool-result' || part.by === 'server') continue
      const call = waiting?.answeredBy(part)
      if (call === undefined && part.callId !== undefined && !hasUnknown)
        return { kind: 'result', id: part.callId, message: index }
      if (call !== undefined) call.answered = index
    }
  }
  const call = hasUnknown || asked === messages.length - 1 ? undefined : waiting?.first()
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
    waiting ??= createOpenCalls()
    waiting.add(part.id, { id: part.id, name: part.name })
  }
  return waiting
}
