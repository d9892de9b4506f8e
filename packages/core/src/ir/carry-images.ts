import type { Losses } from './loss.ts'
import type { Media } from './part.ts'
import { moveToEnd, placedParts, withParts, type Placed, type Turn } from './turns.ts'

/**
 * Images that a model has drawn, for targets whose assistant turns have none: the next user turn contains them, reported as moved.
 * `isTaken` says which images that turn can contain. Images after the last user turn stay where they are, and so do those of a turn
 * that would have only a name or extras without them.
 */
export function carryImages(
  turns: readonly Turn[],
  isTaken: (image: Media) => boolean,
  losses: Losses,
): readonly Turn[] {
  const isCarried = ({ part }: Pick<Placed, 'part'>) => part.type === 'media' && part.kind === 'image' && isTaken(part)
  const draws = ({ message: { role, name, extras }, parts }: Turn) => {
    if (role !== 'assistant') return false
    let drawn = 0
    for (const part of parts) if (isCarried({ part })) drawn++
    return drawn > 0 && (drawn < parts.length || (name ?? extras) === undefined)
  }
  if (!turns.some(draws)) return turns
  const last = turns.findLastIndex(({ message }) => message.role === 'user')
  const carried: Placed[] = []
  return turns.flatMap((turn, index) => {
    const isNext = turn.message.role === 'user' && carried.length > 0
    if (!isNext && (index > last || !draws(turn))) return turn
    const placed = placedParts(turn)
    if (isNext) return moveToEnd(turn, placed, carried.splice(0), 'assistants have no images here', losses)
    for (const each of placed) if (isCarried(each)) carried.push(each)
    const rest = placed.filter((each) => !isCarried(each))
    return rest.length === 0 ? [] : withParts(turn, rest)
  })
}
