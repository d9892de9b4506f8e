import type { Losses, Path } from './loss.ts'
import type { Message } from './request.ts'
import type { Media, Part, Text } from './part.ts'

/** A message for the wire: its parts in the order that every protocol requires, and their original positions. */
export interface Turn {
  readonly message: Message
  readonly index: number
  readonly parts: readonly Part[]
  /** Message and part index of each part, if they differ from those of `message`. */
  readonly origins?: readonly Origin[] | undefined
  /** The number of parts at the end that were moved there: parts that an encoder adds come before them. */
  readonly moved?: number | undefined
}

/** The original position of a part. */
export type Origin = readonly [message: number, part: number]

/** The owner of the parts: a turn of a request, or a candidate of a response. */
export interface Owner extends Pick<Turn, 'index' | 'parts' | 'origins'> {
  readonly list?: 'messages' | 'candidates'
}

/** The original position of a part. */
export function partPath({ list = 'messages', index, origins }: Owner, position: number): Path {
  const [message, part] = origins?.[position] ?? [index, position]
  return [list, message, 'parts', part]
}

/**
 * Tool results come first in their turn, and all results of one assistant turn are together: every upstream refuses anything else.
 * What had to be moved or merged for that is reported.
 */
export function arrangeTurns(given: readonly Message[], losses: Losses): Turn[] {
  const order = orderMessages(given, losses)
  const messages = order?.flatMap((index) => given[index] ?? []) ?? given
  const turns: Turn[] = []
  let alone = 0 // up to here no message is merged with the one before it: each run is examined once
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]
    if (message === undefined) break
    const index = order?.[at] ?? at
    const run = at < alone ? undefined : findRun(messages, at)
    if (run !== undefined) alone = run.end
    if (run !== undefined && run.last > at) {
      const joined = messages.slice(at, run.last + 1)
      const indexes = joined.map((_message, offset) => order?.[at + offset] ?? at + offset)
      turns.push(joinRun(joined, indexes, index, losses))
      at = run.last
    } else if (message.role === 'user' && scattered(message.parts)) {
      turns.push(resultsFirst({ message, index, parts: message.parts }, losses))
    } else {
      turns.push({ message, index, parts: message.parts })
    }
  }
  return turns
}

/** Reports a turn of which nothing is written. Parts that were moved out of it are not lost with it. */
export function reportEmptyTurn({ message, index, parts }: Turn, reason: string, losses: Losses): void {
  if (parts.length >= message.parts.length) return losses.dropped(['messages', index], reason)
  for (const member of ['name', 'extras'] as const)
    if (message[member] !== undefined) losses.dropped(['messages', index, member], reason)
}

/** The number of instructions at the start of the conversation. The last message is not one of them: something must be answered. */
export function leadingInstructions(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => !isInstruction(message))
  return first < 0 ? Math.max(0, messages.length - 1) : first
}

/** The text of a turn with one plain text: most turns are like that, and encoders have nothing to add. */
export function plainTextOf({ message, parts, origins }: Turn): string | undefined {
  const [part] = parts
  if (parts.length !== 1 || part?.type !== 'text' || origins !== undefined) return undefined
  return part.text !== '' && isPlainMessage(message) && isPlainText(part) ? part.text : undefined
}

/** A node whose members are all named; `never` if it has another, so that a new member does not compile. */
type Checked<Node, Members extends keyof Node> = [Exclude<keyof Node, Members>] extends [never] ? Node : never

function isPlainMessage({ name, extras }: Checked<Message, 'role' | 'parts' | 'name' | 'extras'>): boolean {
  return name === undefined && extras === undefined
}

/** Only text: most texts. */
export function isPlainText(
  part: Checked<Text, 'type' | 'text' | 'citations' | 'cache' | 'seal' | 'item' | 'extras'>,
): boolean {
  if (part.extras !== undefined || part.cache !== undefined || part.citations !== undefined) return false
  return part.seal === undefined && part.item === undefined
}

/** Media that the target has neither in results nor in documents. */
export interface Beside {
  readonly part: Media
  readonly reason: string
}

/** Writes such media for its turn, and reports it as added at the end of the last message that is part of the turn. */
export function encodeBeside<Wire>(
  beside: readonly Beside[],
  { index, parts, origins }: Turn,
  losses: Losses,
  encode: (part: Media) => Wire | undefined,
  decode: (wire: Wire) => Part,
): Wire[] {
  if (beside.length === 0) return [] // as in most turns
  let last = index
  let length = origins === undefined ? parts.length : 0
  for (const [message] of origins ?? []) {
    if (message < last) continue
    length = message === last ? length + 1 : 1
    last = message
  }
  return beside.flatMap(({ part, reason }) => {
    const wire = encode(part)
    if (wire === undefined) return []
    losses.added(['messages', last, 'parts', length++], decode(wire), reason)
    return [wire]
  })
}

/** Visits the parts of a turn, each with the losses of its original position. */
export function eachPart(
  turn: Owner,
  losses: Losses,
  visit: (part: Part, losses: Losses, index: number) => void,
): void {
  const { parts, origins, list = 'messages' } = turn
  const owner = losses.at(list, turn.index)
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (part === undefined) continue
    const origin = origins?.[index]
    const scope = origin === undefined ? owner.at('parts', index) : losses.at(list, origin[0]).at('parts', origin[1])
    visit(part, scope, index)
  }
}

/**
 * The positions of the messages as they are sent: instructions between calls and their results come behind the results. Undefined
 * if all instructions are at the start.
 */
function orderMessages(messages: readonly Message[], losses: Losses): readonly number[] | undefined {
  if (messages.findLastIndex(isInstruction) < leadingInstructions(messages)) return undefined
  const order: number[] = []
  let held: number[] = []
  let last = -1
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') last = lastResults(messages, index)
    if (index < last && isInstruction(message)) held.push(index)
    else order.push(index)
    if (index !== last) continue
    for (const each of held) {
      losses.moved(['messages', each], ['messages', last], 'results follow their calls')
      order.push(each)
    }
    held = []
  }
  return order
}

/** The last message with results before the next assistant turn. */
function lastResults(messages: readonly Message[], asked: number): number {
  let last = -1
  for (let index = asked + 1; index < messages.length; index++) {
    const message = messages[index]
    if (message === undefined || message.role === 'assistant') break
    if (message.role === 'user' && holdsResult(message)) last = index
  }
  return last
}

function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

function holdsResult({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'tool-result')
}

/** Consecutive messages of one role. */
interface Run {
  /** The last one that must be merged with the first; the first itself if none must. No later message is merged. */
  readonly last: number
  /** The first message of another role. */
  readonly end: number
}

/** User messages with tool results are merged with the first, and assistant messages after one that calls. */
function findRun(messages: readonly Message[], first: number): Run {
  const role = messages[first]?.role
  if (role !== 'user' && role !== 'assistant') return { last: first, end: first + 1 }
  let last = first
  let calls = role === 'assistant' && callsTool(messages[first])
  for (let index = first + 1; ; index++) {
    const message = messages[index]
    if (message?.role !== role) return { last, end: index }
    if (calls || (role === 'user' && holdsResult(message))) last = index
    calls ||= role === 'assistant' && callsTool(message)
  }
}

/** `indexes`: the positions of the messages; `first` is that of the first. */
function joinRun(run: readonly Message[], indexes: readonly number[], first: number, losses: Losses): Turn {
  const name = run.find((each) => each.name !== undefined)?.name
  const extras = run.find((each) => each.extras !== undefined)?.extras
  const indexOf = (offset: number) => indexes[offset] ?? first
  for (const [offset, each] of run.entries()) {
    const at = ['messages', indexOf(offset)]
    if (each.name !== undefined && each.name !== name) losses.dropped([...at, 'name'], 'a joined message has one name')
    if (each.extras !== undefined && each.extras !== extras)
      losses.dropped([...at, 'extras'], 'a joined message has one set of extras')
    if (offset > 0) losses.merged(at, ['messages', first], 'one turn is one message')
  }
  const message: Message = {
    role: run[0]?.role ?? 'user',
    parts: run.flatMap((each) => each.parts),
    ...(name === undefined ? {} : { name }),
    ...(extras === undefined ? {} : { extras }),
  }
  const origins = run.flatMap((each, offset) => each.parts.map((_part, part) => [indexOf(offset), part] as const))
  const turn = { message, index: first, parts: message.parts, origins }
  return message.role === 'user' && scattered(message.parts) ? resultsFirst(turn, losses) : turn
}

function callsTool(message: Message | undefined): boolean {
  return message?.parts.some((part) => part.type === 'tool-call' && part.by === 'client') === true
}

function scattered(parts: readonly Part[]): boolean {
  let other = false
  for (const part of parts) {
    if (part.type !== 'tool-result') other = true
    else if (other) return true
  }
  return false
}

/** Everything that is not a result moves behind the results, in its order. */
function resultsFirst(turn: Turn, losses: Losses): Turn {
  const placed = placedParts(turn)
  const isResult = ({ part }: Placed) => part.type === 'tool-result'
  const others = placed.filter((each) => !isResult(each))
  return moveToEnd(turn, placed.filter(isResult), others, 'tool results lead in their message', losses)
}

/** A part and its original position. */
export interface Placed {
  readonly part: Part
  readonly origin: Origin
}

export function placedParts({ parts, index, origins }: Turn): Placed[] {
  return parts.map((part, position) => ({ part, origin: origins?.[position] ?? [index, position] }))
}

/** The turn with other parts. */
export function withParts(turn: Turn, placed: readonly Placed[]): Turn {
  return { ...turn, parts: placed.map(({ part }) => part), origins: placed.map(({ origin }) => origin) }
}

/** The turn with some parts first, and then others, which are reported as moved there. */
export function moveToEnd(
  turn: Turn,
  first: readonly Placed[],
  others: readonly Placed[],
  reason: string,
  losses: Losses,
): Turn {
  for (const { origin } of others)
    losses.moved(['messages', origin[0], 'parts', origin[1]], ['messages', turn.index, 'parts'], reason)
  return { ...withParts(turn, [...first, ...others]), moved: (turn.moved ?? 0) + others.length }
}
