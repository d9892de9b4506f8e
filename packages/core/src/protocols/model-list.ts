import { modelFacts, releaseDate } from '../ir/model.ts'
import type { JsonObject } from '../lib/json.ts'
import type { ListedModel } from './protocol.ts'

/** Model lists in the form of OpenAI, which chat and Responses share. */
export function listModels(entries: readonly ListedModel[], _query: URLSearchParams): JsonObject {
  return { object: 'list', data: entries.map(showModel) }
}

/** One entry of such a list. */
export function showModel({ id, provider, card }: ListedModel): JsonObject {
  const created = Date.parse(releaseDate(card)) / 1000
  return { id, object: 'model', created, owned_by: card.owner ?? provider, ...modelFacts(card) }
}
