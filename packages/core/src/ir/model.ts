import type { JsonObject } from '../lib/json.ts'
import type { Quirk } from './quirk.ts'

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
  /** How its answers differ from the protocol, per protocol; read by that protocol's decoders. Such answers are never relayed. */
  readonly dialects?: { readonly [protocol: string]: JsonObject }
  /** What it takes or wants beyond the protocol, per protocol; read by that protocol's encoders alone, so no bar to a relay. */
  readonly extensions?: { readonly [protocol: string]: JsonObject }
  /** What it does differently with requests, per protocol. */
  readonly quirks?: { readonly [protocol: string]: readonly Quirk[] }
  /** The members of requests by which its upstream lets a caller choose another model, per protocol, beyond the protocol's own. */
  readonly choosers?: { readonly [protocol: string]: readonly Chooser[] }
  /** Prices in the vocabulary of the model lists. A missing price is missing, not zero. */
  readonly prices?: { readonly [item: string]: readonly Price[] }
  /** Prices that model lists have no word for, such as `audio_input`. */
  readonly otherPrices?: { readonly [item: string]: readonly Price[] }
}

/**
 * A member of requests that can make an upstream use another model than the one asked for: its path on the wire, with `*` for every
 * entry of a list (`tools.*.model`). With `begins`, only where its text begins so.
 */
export type Chooser = string | { readonly at: string; readonly begins: string }

/** A kind of content that a model takes or gives. */
export type Modality = 'text' | 'image' | 'video' | 'audio' | 'file'

/** A type and not an interface: prices go into model lists as they are, as JSON. */
export type Price = {
  readonly value: number
  readonly unit: 'perMTokens' | 'perCount' | 'perSecond'
  readonly currency: 'USD'
  readonly conditions?: JsonObject
}

/** All that a codec of this protocol is told of the upstream's ways. */
export function dialectOf(card: Card, protocol: string): JsonObject | undefined {
  const extension = card.extensions?.[protocol]
  const dialect = card.dialects?.[protocol]
  return extension === undefined || dialect === undefined ? (dialect ?? extension) : { ...extension, ...dialect }
}

/** `created` is never null: the day of the catalogue stands in for a model whose release date nobody knows. */
const CATALOGUE_DATE = '2026-08-22'

/** The day a model came out, as `2026-08-22`. */
export function releaseDate(card: Card): string {
  return card.released ?? CATALOGUE_DATE
}

/** A retiring model says so in its name. */
export function displayName(card: Card): string {
  const name = card.display ?? card.name
  return card.retires === undefined ? name : `${name} (retiring ${card.retires})`
}

/** What the lists of models tell alike about one. */
export function modelFacts(card: Card): JsonObject {
  return {
    display_name: displayName(card),
    input_modalities: card.input,
    output_modalities: card.output,
    capabilities: { reasoning: card.reasoning !== undefined },
    context_length: card.context ?? 0,
    pricings: card.prices ?? {},
    ...(card.retires === undefined ? {} : { deprecation: card.retires }),
  }
}
