import type { Part } from '../../ir/part.ts'
import { isMarked } from './reasoning.ts'
import type { Item } from './schema.ts'

/** Reasoning whose text is still to come. Its seal comes with the whole item. */
export function startThought(item: Item, isSummary: boolean, id: { readonly item?: string }): Part | undefined {
  if (item.type !== 'reasoning') return undefined
  return { type: 'reasoning', text: '', ...(isSummary && !isMarked(item) ? { summary: true as const } : {}), ...id }
}
