import type { Part } from './part.ts'
import type { Seal } from './seal.ts'

/** The seals of the items that parts of reasoning belong to: the last part of an item has it. From the end, so that it takes linear time. */
export function groupSeals(parts: readonly Part[]): readonly (Seal | undefined)[] {
  const seals: (Seal | undefined)[] = []
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]
    if (part?.type !== 'reasoning') continue
    const next = parts[index + 1]
    const isJoined =
      next?.type === 'reasoning' && part.item !== undefined && part.item === next.item && part.summary === next.summary
    seals[index] = part.seal ?? (isJoined ? seals[index + 1] : undefined)
  }
  return seals
}
