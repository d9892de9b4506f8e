import type { Message } from './message.ts'
import type { Part, ToolCall, ToolResult } from './part.ts'

/** Ids and names that the conversation implies: a call without an id is numbered by position, a result belongs to a call. */
export interface Pairs {
  /** The id of a call, or of the call that a result answers. */
  id(part: ToolCall | ToolResult): string
  /** The name of the tool that a result comes from. */
  name(part: ToolResult): string | undefined
}

/** The ids and names that a conversation implies, worked out when one is first asked for. */
export function pairCalls(messages: readonly Message[]): Pairs {
  let found: ReturnType<typeof findPairs> | undefined
  const pairs = () => (found ??= findPairs(messages))
  return {
    id: (part) => idOf(part) ?? pairs().ids.get(part) ?? madeId(0),
    name: (part) => part.name ?? pairs().names.get(part),
  }
}

/** The id that the wire had. */
function idOf(part: Part): string | undefined {
  return part.type === 'tool-call' ? part.id : part.type === 'tool-result' ? part.callId : undefined
}

function findPairs(messages: readonly Message[]): { ids: Map<Part, string>; names: Map<Part, string> } {
  const ids = new Map<Part, string>()
  const names = new Map<Part, string>()
  const taken = new Set(messages.flatMap(({ parts }) => parts.map(idOf)))
  let open: { readonly id: string; readonly name: string; answered: boolean }[] = []
  let count = 0
  const next = () => {
    while (taken.has(madeId(count))) count++
    return madeId(count++)
  }
  for (const message of messages) {
    if (message.role === 'assistant') open = open.filter((call) => !call.answered)
    for (const part of message.parts) {
      if (part.type === 'tool-call') {
        const id = part.id ?? next()
        ids.set(part, id)
        open.push({ id, name: part.name, answered: false })
      } else if (part.type === 'tool-result') {
        const waiting = open.filter((call) => !call.answered)
        const call =
          part.callId === undefined
            ? (waiting.find((call) => call.name === part.name) ?? waiting[0])
            : open.find((call) => call.id === part.callId)
        ids.set(part, part.callId ?? call?.id ?? next())
        if (call === undefined) continue
        call.answered = true
        names.set(part, call.name)
      }
    }
  }
  return { ids, names }
}

/** A number alone could be somebody's own id. */
function madeId(count: number): string {
  return `dg_call_${count}`
}

/** The same for a stream, where nobody knows what comes: calls without an id are numbered as they begin. */
export function countCalls(): Pairs {
  let count = 0
  let last = madeId(0)
  const ids = new Map<Part, string>()
  return {
    id(part) {
      last = idOf(part) ?? ids.get(part) ?? (part.type === 'tool-call' ? madeId(count++) : last)
      ids.set(part, last)
      return last
    },
    name: (part) => part.name,
  }
}

/** A call without its result, or a result without its call: every upstream refuses such a history. */
export interface Orphan {
  readonly kind: 'call' | 'result'
  readonly id: string
  readonly message: number
}

/** The first orphan. Calls of the last message may still wait; a result without an id answers by name, or in its turn. */
export function findOrphan(messages: readonly Message[]): Orphan | undefined {
  let waiting: Waiting[] = []
  let asked = 0
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (message === undefined) break
    if (message.role === 'assistant') {
      const goesOn = messages[index - 1]?.role === 'assistant' // consecutive messages of one role are one turn
      if (waiting[0] !== undefined && !goesOn) return { kind: 'call', id: waiting[0].id, message: asked }
      waiting = goesOn ? [...waiting, ...waitingCalls(message)] : waitingCalls(message)
      asked = index
      continue
    }
    for (const part of message.parts) {
      if (part.type !== 'tool-result' || part.by === 'server') continue
      const place = placeOfCall(waiting, part)
      if (place < 0 && part.callId !== undefined) return { kind: 'result', id: part.callId, message: index }
      if (place >= 0) waiting.splice(place, 1)
    }
  }
  const [first] = waiting
  return first === undefined || asked === messages.length - 1
    ? undefined
    : { kind: 'call', id: first.id, message: asked }
}

interface Waiting {
  readonly id: string
  readonly name: string
}

function waitingCalls(message: Message): Waiting[] {
  const calls: Waiting[] = []
  for (const part of message.parts) {
    if (part.type === 'tool-call' && part.by === 'client' && part.id !== undefined)
      calls.push({ id: part.id, name: part.name })
  }
  return calls
}

function placeOfCall(waiting: readonly Waiting[], { callId, name }: ToolResult): number {
  if (callId !== undefined) return waiting.findIndex((call) => call.id === callId)
  const named = waiting.findIndex((call) => call.name === name)
  return named < 0 ? Math.min(0, waiting.length - 1) : named
}
