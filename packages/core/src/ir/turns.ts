import type { Losses } from './loss.ts'
import type { Message } from './message.ts'
import type { Part } from './part.ts'

/** A message as it goes on the wire: its parts in the order every protocol wants, and where they stood in the request. */
export interface Turn {
  readonly message: Message
  readonly index: number
  readonly parts: readonly Part[]
  /** Message and part index of each part, where they are not those of `message`. */
  readonly origins?: readonly (readonly [message: number, part: number])[]
}

/**
 * Tool results lead in their turn, contiguous, and all results of one assistant turn stand together: every upstream refuses
 * anything else. What had to be moved or joined for that is reported.
 */
export function arrangeTurns(messages: readonly Message[], losses: Losses): Turn[] {
  const turns: Turn[] = []
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (message === undefined) break
    const last = lastOfRun(messages, index)
    if (last > index) {
      turns.push(joinRun(messages, index, last, losses))
      index = last
    } else if (message.role === 'user' && scattered(message.parts)) {
      turns.push(resultsFirst({ message, index, parts: message.parts }, losses))
    } else {
      turns.push({ message, index, parts: message.parts })
    }
  }
  return turns
}

/** Visits the parts of a turn with the losses scoped to where each stood. */
export function eachPart(turn: Turn, losses: Losses, visit: (part: Part, index: number) => void): void {
  if (turn.origins === undefined) losses.enter('messages', turn.index)
  for (const [index, part] of turn.parts.entries()) {
    const origin = turn.origins?.[index]
    if (origin === undefined) {
      losses.enter('parts', index)
      visit(part, index)
      losses.leave()
    } else {
      losses.enter('messages', origin[0])
      losses.enter('parts', origin[1])
      visit(part, index)
      losses.leave()
      losses.leave()
    }
  }
  if (turn.origins === undefined) losses.leave()
}

/** The last of the user messages after `first` that still brings tool results; `first` itself when none does. */
function lastOfRun(messages: readonly Message[], first: number): number {
  if (messages[first]?.role !== 'user') return first
  let last = first
  for (let index = first + 1; messages[index]?.role === 'user'; index++) {
    if (messages[index]?.parts.some((part) => part.type === 'tool-result')) last = index
  }
  return last
}

function joinRun(messages: readonly Message[], first: number, last: number, losses: Losses): Turn {
  const run = messages.slice(first, last + 1)
  const [message] = run
  const parts = run.flatMap((each) => each.parts)
  const origins = run.flatMap((each, offset) => each.parts.map((_part, part) => [first + offset, part] as const))
  let name = message?.name
  let extras = message?.extras
  for (const [offset, each] of run.entries()) {
    if (offset === 0) continue
    const index = first + offset
    if (each.name !== undefined && name !== undefined && each.name !== name) {
      losses.dropped(['messages', index, 'name'], 'a joined message has one name')
    }
    if (each.extras !== undefined && extras !== undefined) {
      losses.dropped(['messages', index, 'extras'], 'a joined message has one set of leftovers')
    }
    name ??= each.name
    extras ??= each.extras
    losses.merged(['messages', index], ['messages', first], 'all results of a turn go back together')
  }
  const joined: Message = {
    role: 'user',
    parts,
    ...(name === undefined ? {} : { name }),
    ...(extras === undefined ? {} : { extras }),
  }
  const turn = { message: joined, index: first, parts, origins }
  return scattered(parts) ? resultsFirst(turn, losses) : turn
}

function scattered(parts: readonly Part[]): boolean {
  let other = false
  for (const part of parts) {
    if (part.type !== 'tool-result') other = true
    else if (other) return true
  }
  return false
}

/** Everything that is no result moves behind the results, in its order. */
function resultsFirst(turn: Turn, losses: Losses): Turn {
  const placed = turn.parts.map((part, index) => ({
    part,
    origin: turn.origins?.[index] ?? ([turn.index, index] as const),
  }))
  const results = placed.filter(({ part }) => part.type === 'tool-result')
  const others = placed.filter(({ part }) => part.type !== 'tool-result')
  for (const { origin } of others) {
    const path = ['messages', origin[0], 'parts', origin[1]]
    losses.moved(path, ['messages', turn.index, 'parts'], 'tool results lead in their message')
  }
  const ordered = [...results, ...others]
  return { ...turn, parts: ordered.map(({ part }) => part), origins: ordered.map(({ origin }) => origin) }
}
