import { DragomanError } from '../../ir/error.ts'
import { modelFacts, releaseDate } from '../../ir/model.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { ListedModel } from '../protocol.ts'

/** All models, or a page as the official SDK requests it: `limit`, and `after_id` or `before_id`. */
export function listModels(entries: readonly ListedModel[], query: URLSearchParams): JsonObject {
  const limit = readLimit(query.get('limit')) ?? entries.length
  const after = positionOf(entries, query.get('after_id'), 'after_id')
  const before = positionOf(entries, query.get('before_id'), 'before_id')
  const end = before ?? entries.length
  const start = after === undefined ? (before === undefined ? 0 : Math.max(0, end - limit)) : after + 1
  const page = entries.slice(start, Math.min(end, start + limit))
  const more = before === undefined ? start + page.length < entries.length : start > 0
  return {
    data: page.map(showModel),
    has_more: more,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}

export function showModel({ id, card }: ListedModel): JsonObject {
  return { id, type: 'model', created_at: releaseDate(card), ...modelFacts(card) }
}

function readLimit(text: string | null): number | undefined {
  if (text === null) return undefined
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit
  throw new DragomanError('invalid-request', 'limit must be a whole number from 1 to 1000.', { param: 'limit' })
}

function positionOf(entries: readonly ListedModel[], id: string | null, param: string): number | undefined {
  if (id === null) return undefined
  const index = entries.findIndex((entry) => entry.id === id)
  if (index >= 0) return index
  throw new DragomanError('invalid-request', `${param} names no model of this list.`, { param })
}
