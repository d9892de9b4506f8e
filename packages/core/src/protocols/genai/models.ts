import { DragomanError } from '../../ir/error.ts'
import { displayName } from '../../ir/model.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { ListedModel } from '../protocol.ts'

/** All models, or a page as the official SDK requests it: `pageSize`, and the `pageToken` of the previous page. */
export function listModels(entries: readonly ListedModel[], query: URLSearchParams): JsonObject {
  const size = readCount(query.get('pageSize') ?? query.get('page_size'), 'pageSize') ?? entries.length
  const start = readCount(query.get('pageToken') ?? query.get('page_token'), 'pageToken') ?? 0
  const end = size === 0 ? entries.length : start + size
  return {
    models: entries.slice(start, end).map(showModel),
    ...(end < entries.length ? { nextPageToken: String(end) } : {}),
  }
}

export function showModel({ id, card }: ListedModel): JsonObject {
  return {
    name: id,
    displayName: displayName(card),
    description: card.description ?? displayName(card),
    inputTokenLimit: card.context ?? 0,
    outputTokenLimit: card.maxOutput ?? 0,
    thinking: card.reasoning !== undefined,
    inputModalities: card.input,
    outputModalities: card.output,
    pricings: card.prices ?? {},
    ...(card.ceiling === undefined ? {} : { priceCeilings: card.ceiling }),
    ...(card.retires === undefined ? {} : { deprecation: card.retires }),
  }
}

function readCount(text: string | null, param: string): number | undefined {
  if (text === null || text === '') return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= 0 && count <= 1_000_000) return count
  throw new DragomanError('invalid-request', `${param} is not valid.`, { param })
}
