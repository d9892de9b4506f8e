import { displayName, releaseDate } from '../../ir/model.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { ListedModel } from '../protocol.ts'

export function listModels(entries: readonly ListedModel[], _query: URLSearchParams): JsonObject {
  return { object: 'list', data: entries.map(showModel) }
}

export function showModel({ id, provider, card }: ListedModel): JsonObject {
  return {
    id,
    object: 'model',
    display_name: displayName(card),
    created: Date.parse(releaseDate(card)) / 1000,
    owned_by: card.owner ?? provider,
    input_modalities: card.input,
    output_modalities: card.output,
    capabilities: { reasoning: card.reasoning !== undefined },
    context_length: card.context ?? 0,
    pricings: card.prices ?? {},
    ...(card.retires === undefined ? {} : { deprecation: card.retires }),
  }
}
