import type { JsonObject } from '../lib/json.ts'
import type { CardFacts } from './media-kinds.ts'
import type { Modality } from './part.ts'
import type { PriceTerms } from './usage.ts'
import type { Quirk } from './quirk.ts'

/** The facts about one model of one provider: limits, modalities, prices, and how its upstream differs. */
export interface Card extends CardFacts {
  /** The name after the slash: `<provider>/<name>`. May contain `/`, `.`, `-` and `:`. */
  readonly name: string
  /** The upstream's name for it, if that differs. */
  readonly upstream?: string
  readonly display?: string
  readonly description?: string
  readonly owner?: string
  /** The line of models that it belongs to, as its vendor names it: `sonnet`. */
  readonly line?: string
  /** The day of its release, YYYY-MM-DD, if known. */
  readonly released?: string
  /** The day after which it is no longer available, YYYY-MM-DD. */
  readonly retires?: string
  readonly context?: number
  readonly maxOutput?: number
  readonly input: readonly Modality[]
  readonly output: readonly Modality[]
  /** Its rank for routing by quality, 1 to 100, higher is better. Absent if unknown. `docs/add-a-provider.md` has the rule of thumb. */
  readonly quality?: number
  /** Absent if the model does not reason. */
  readonly reasoning?: { readonly min?: number; readonly max?: number }
  /** The issuer of the seals in its responses; by default the native domain of its protocol. */
  readonly issuer?: string
  /** The provider's protocols that it can be called in, best first; by default all. */
  readonly protocols?: readonly string[]
  /** How its responses differ from the protocol, per protocol, for the protocol's decoders. Such responses are never relayed. */
  readonly dialects?: { readonly [protocol: string]: JsonObject }
  /** What it accepts or requires beyond the protocol, per protocol, only for the protocol's encoders. It does not prevent a relay. */
  readonly extensions?: { readonly [protocol: string]: JsonObject }
  /** Whether its upstream opens the URLs of media, per protocol; by default as the protocol says. */
  readonly urls?: { readonly [protocol: string]: boolean }
  /** How its requests differ, per protocol. */
  readonly quirks?: { readonly [protocol: string]: readonly Quirk[] }
  /** The request members that can make its upstream use another model, per protocol, in addition to the protocol's own. */
  readonly choosers?: { readonly [protocol: string]: readonly Chooser[] }
  /** Prices in the form of model lists. An unknown price is absent, not zero. */
  readonly prices?: { readonly [item: string]: readonly Price[] }
  /** How its upstream bills the tokens of documents; by default as text. */
  readonly documents?: 'image'
  /** How its upstream bills searches: once for an answer with any; by default each. */
  readonly searches?: 'once'
  /** Prices that model lists cannot express, such as `audio_input` or those that depend on a resolution. They are used first. */
  readonly otherPrices?: { readonly [item: string]: readonly Price[] }
  /** Its prices under other terms than the standard ones. Under terms that no entry names, it has no price. */
  readonly terms?: readonly TermPrices[]
  /** The most that items without a price can cost. By default, a card without prices has the highest prices of its family. */
  readonly ceiling?: { readonly [item: string]: readonly Price[] }
  /** The version of all its prices; by default a digest of them. */
  readonly priceVersion?: string
  /** Where these facts come from. */
  readonly sources?: readonly CardSource[]
}

/** Who states some facts of a card, and of which day that is. A type, not an interface, because lists of models show it as JSON. */
export type CardSource = {
  /** `name`: that the model exists; `limits`: what it takes, gives and can do; `prices`: all that its cost depends on. */
  readonly facts: readonly ('name' | 'limits' | 'prices')[]
  /** The address of a page, or a package with its version. */
  readonly from: string
  /** The day of the statement, or the day on which it was read: YYYY-MM-DD, or the month alone. */
  readonly date: string
}

/**
 * Prices under other terms than the standard ones: either all of them, `{ when: { tier: 'flex' }, prices: usd({ … }) }`, or a factor of
 * all prices of tokens, `{ when: { geo: 'us' }, factor: 1.1 }`. Factors of several terms are multiplied.
 */
export type TermPrices = { readonly when: TermConditions } & (
  | { readonly prices: { readonly [item: string]: readonly Price[] }; readonly factor?: never }
  | { readonly factor: number; readonly prices?: never }
)

/** Each term is a text or a list of texts, in the words of the upstream. */
export type TermConditions = { readonly [term in keyof PriceTerms]: string | readonly string[] }

/**
 * A request member that can make an upstream use another model than the requested one: its path on the wire, with `*` for every
 * entry of a list (`tools.*.model`). With `begins`, only if its text starts with that.
 */
export type Chooser = string | { readonly at: string; readonly begins: string }

/** A type, not an interface, because prices are put into model lists as JSON. */
export type Price = {
  readonly value: number
  readonly unit: 'perMTokens' | 'perCount' | 'perSecond' | 'perMegapixel'
  readonly currency: 'USD'
  readonly conditions?: JsonObject
}

/** Everything that a codec of this protocol knows about the upstream. */
export function dialectOf(card: Card, protocol: string): JsonObject | undefined {
  const extension = card.extensions?.[protocol]
  const dialect = card.dialects?.[protocol]
  return extension === undefined || dialect === undefined ? (dialect ?? extension) : { ...extension, ...dialect }
}

/** `created` is never null: for an unknown release date, the day of the catalogue is used. */
const CATALOGUE_DATE = '2026-08-22'

/** The release date of a model, as `2026-08-22`. */
export function releaseDate(card: Card): string {
  return card.released ?? CATALOGUE_DATE
}

/** The name of a retiring model says so. */
export function displayName(card: Card): string {
  const name = card.display ?? card.name
  return card.retires === undefined ? name : `${name} (retiring ${card.retires})`
}

/** What all model lists say about a model. */
export function modelFacts(card: Card) {
  return {
    display_name: displayName(card),
    input_modalities: card.input,
    output_modalities: card.output,
    capabilities: { reasoning: card.reasoning !== undefined },
    context_length: card.context ?? 0,
    pricings: card.prices ?? {},
    ...(card.ceiling === undefined ? {} : { price_ceilings: card.ceiling }),
    ...(card.retires === undefined ? {} : { deprecation: card.retires }),
  }
}

/** Whether the name of a card is a prefix with a star: the card of all models with this prefix that have no card. */
export function isPattern(name: string): boolean {
  return name.endsWith('*')
}
