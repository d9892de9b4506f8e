import type { Part } from '../../ir/part.ts'
import type { DecodeContext } from '../context.ts'
import { isMarked, keepRaw } from './reasoning.ts'
import type { Item } from './schema.ts'

/** Reasoning whose text is still to come. Its seal comes with the whole item. */
export function startThought(
  item: Item,
  isSummary: boolean,
  id: { readonly item?: string },
  context: DecodeContext,
): Part | undefined {
  if (item.type !== 'reasoning') return undefined
  if (!isSummary) return keepRaw({ type: 'reasoning', text: '', ...id }, undefined, context)
  return { type: 'reasoning', text: '', ...(!isMarked(item) ? { summary: true as const } : {}), ...id }
}
