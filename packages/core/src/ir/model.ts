import type { JsonObject } from '../lib/json.ts'

/** The facts of one model at one provider: limits, modalities, prices, and what its upstream does differently. */
export interface Card {
  /** The name after the slash: `<provider>/<name>`. May hold `/`, `.`, `-` and `:`. */
  readonly name: string
  /** What the upstream calls it, where that differs. */
  readonly upstream?: string
  readonly display?: string
  readonly description?: string
  readonly owner?: string
  /** The day of its release, YYYY-MM-DD, where known. */
  readonly released?: string
  /** The day after which it is gone, YYYY-MM-DD. */
  readonly retires?: string
  readonly context?: number
  readonly maxOutput?: number
  readonly input: readonly Modality[]
  readonly output: readonly Modality[]
  /** Absent: the model does not reason. */
  readonly reasoning?: { readonly min?: number; readonly max?: number }
  /** Whose seals its answers hold; absent: the native domain of the protocol it is called in. */
  readonly issuer?: string
  /** Which of the provider's protocols it is called in, best first; absent: all of them. */
  readonly protocols?: readonly string[]
  /** Ways of this upstream beyond the protocol, per protocol. */
  readonly dialects?: { readonly [protocol: string]: JsonObject }
  /** Prices in the vocabulary of the model lists. A missing price is missing, not zero. */
  readonly prices?: { readonly [item: string]: readonly Price[] }
}

export type Modality = 'text' | 'image' | 'video' | 'audio' | 'file'

/** A type and not an interface: prices go into model lists as they are, as JSON. */
export type Price = {
  readonly value: number
  readonly unit: 'perMTokens' | 'perCount' | 'perSecond'
  readonly currency: 'USD'
  readonly conditions?: JsonObject
}

/** `created` is never null: the day of the catalogue stands in for a model whose release date nobody knows. */
const CATALOGUE_DATE = '2026-08-22'

export function releaseDate(card: Card): string {
  return card.released ?? CATALOGUE_DATE
}

/** A retiring model says so in its name. */
export function displayName(card: Card): string {
  const name = card.display ?? card.name
  return card.retires === undefined ? name : `${name} (retiring ${card.retires})`
}
