import type { Losses } from './loss.ts'
import type { Media, Part } from './part.ts'
import { originOf, type Origin, type Turn } from './turns.ts'

interface Placed {
  readonly part: Part
  readonly origin: Origin
}

/**
 * Images that a model has drawn, for targets whose assistant turns have none: the next user turn contains them, reported as moved.
 * `isTaken` says which images that turn can contain. Images after the last user turn stay where they are.
 */
export function carryImages(
  turns: readonly Turn[],
  isTaken: (image: Media) => boolean,
  losses: Losses,
): readonly Turn[] {
  const isCarried = (part: Part) => part.type === 'media' && part.kind === 'image' && isTaken(part)
  const draws = ({ message, parts }: Turn) => message.role === 'assistant' && parts.some(isCarried)
  if (!turns.some(draws)) return turns
  const last = turns.findLastIndex(({ message }) => message.role === 'user')
  let carried: Placed[] = []
  return turns.flatMap((turn, index) => {
    const { message } = turn
    if (index < last && draws(turn)) {
      const placed = placedParts(turn)
      for (const each of placed) if (isCarried(each.part)) carried.push(each)
      return withoutCarried(
        turn,
        placed.filter(({ part }) => !isCarried(part)),
        losses,
      )
    }
    if (message.role !== 'user' || carried.length === 0) return turn
    for (const { origin } of carried)
      losses.moved(['messages', origin[0], 'parts', origin[1]], ['messages', turn.index, 'parts'], NO_IMAGES)
    const moved = (turn.moved ?? 0) + carried.length
    const all = [...placedParts(turn), ...carried]
    carried = []
    return { ...withParts(turn, all), moved }
  })
}

const NO_IMAGES = 'assistants have no images here'

function placedParts(turn: Turn): Placed[] {
  return turn.parts.map((part, position) => ({ part, origin: originOf(turn, position) }))
}

function withParts(turn: Turn, placed: readonly Placed[]): Turn {
  return { ...turn, parts: placed.map(({ part }) => part), origins: placed.map(({ origin }) => origin) }
}

/** No turn if nothing is left of it. */
function withoutCarried(turn: Turn, placed: readonly Placed[], losses: Losses): Turn | [] {
  if (placed.length > 0) return withParts(turn, placed)
  const { name, extras } = turn.message
  if (name !== undefined) losses.dropped(['messages', turn.index, 'name'], NO_IMAGES)
  if (extras !== undefined) losses.dropped(['messages', turn.index, 'extras'], NO_IMAGES)
  return []
}
