import type { Part, Reasoning } from './part.ts'
import type { Seal } from './seal.ts'

/** The seals of the items that parts of reasoning belong to: the last part of an item has it. From the end, so that it takes linear time. */
export function groupSeals(
  parts: readonly Part[],
  joins: (part: Reasoning, next: Reasoning) => boolean = isOfOneKind,
): readonly (Seal | undefined)[] {
  const seals: (Seal | undefined)[] = []
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]
    if (part?.type !== 'reasoning') continue
    const next = parts[index + 1]
    const isJoined =
      next?.type === 'reasoning' && part.item !== undefined && part.item === next.item && joins(part, next)
    seals[index] = part.seal ?? (isJoined ? seals[index + 1] : undefined)
  }
  return seals
}

/** A summary can be shown without the thoughts that it is of. */
function isOfOneKind(part: Reasoning, next: Reasoning): boolean {
  return part.summary === next.summary
}
