import type { ProviderDefinition } from '@dragoman/core/provider'
import type { Shape } from './shape.ts'

/** A date as vendors append it; the gateway finds a model by its name without it. */
const DATE = /[-@](?:\d{8}|\d{4}-\d\d-\d\d)$/

/** The models that an SDK names and that have no card, neither by name nor by the vendor's own name. */
export function findModels({ models }: ProviderDefinition, named: Shape): ReadonlySet<string> {
  const cards = new Set(models.flatMap(({ name, upstream = name }) => [name, upstream]))
  const undated = (id: string): string => id.replace(DATE, '')
  const lacking = [...named.words].filter((id) => !cards.has(id) && !cards.has(undated(id)))
  return new Set(lacking.map((id) => (named.words.has(undated(id)) ? undated(id) : id)))
}
