import { effortQuirks, type Card, type Quirk } from '@dragoman/core/provider'
import { IMAGE, TIERED_IMAGE, VIDEO } from './media-facts.ts'
import type { ModelName } from './model-name.ts'
import { VENDOR_PRICES } from './vendor-prices.ts'

type Family = Pick<
  Card,
  'reasoning' | 'documents' | 'quirks' | 'extensions' | 'image' | 'video' | 'protocols' | 'retires'
>

/** The third generation counts the pages of documents as images. */
const PAGES_AS_IMAGES: Family = { documents: 'image' }

/** Models with thinking levels, since the third generation. Thinking cannot be turned off, and calls in the history without their signature are refused. */
function levels(least: string, lower: { readonly [effort: string]: string } = {}): Family {
  return {
    ...PAGES_AS_IMAGES,
    quirks: {
      genai: [
        {
          verb: 'replace',
          at: 'reasoning.on',
          values: { false: least },
          as: 'reasoning.effort',
          because: 'cannot stop thinking',
        },
        ...effortQuirks({ xhigh: 'high', max: 'high', none: least, ...lower }),
      ],
    },
    extensions: { genai: { thinking: 'level', signatures: 'required' } },
  }
}

const LEVEL = levels('minimal')
/** Since Gemini 3.7 there is no minimal level. */
const FROM_LOW = levels('low', { minimal: 'low' })
/** The quirks of models of which only the generation is known: a request of its protocol is relayed as it is. */
const UNKNOWN: Family = { extensions: { genai: { thinking: 'level' } } }

/** Models with a thinking budget in tokens. */
function budget(min: number, max: number, off: readonly Quirk[] = []): Family {
  const effort = { minimal: 1024, low: 2048, medium: 5120, high: 10_240, xhigh: 20_480, max }
  return {
    reasoning: { min, max },
    quirks: {
      genai: [
        ...off,
        {
          verb: 'replace',
          at: 'reasoning.effort',
          values: effort,
          as: 'reasoning.budget',
          because: 'takes a budget, not an effort',
        },
        { verb: 'clamp', at: 'reasoning.budget', min, max, because: 'thinks within this range' },
      ],
    },
    extensions: { genai: { thinking: 'budget' } },
  }
}

const ALWAYS_ON: readonly Quirk[] = [
  {
    verb: 'replace',
    at: 'reasoning.on',
    values: { false: 128 },
    as: 'reasoning.budget',
    because: 'cannot stop thinking',
  },
]
const THOUGHTLESS: Family = { quirks: { genai: [{ verb: 'drop', at: 'reasoning', because: 'does not think' }] } }
const TOP = budget(128, 32_768, ALWAYS_ON)

/** Videos have an API of their own. */
const VEO: Family = { protocols: ['own'], video: VIDEO }

const FAMILY_OF: { readonly [Name in ModelName]: Family } = {
  'gemini-4-argon': FROM_LOW,
  'gemini-3.8-flash': FROM_LOW,
  'gemini-3.7-flash': FROM_LOW,
  'gemini-3.1-flash-lite': LEVEL,
  'gemini-3.1-pro-preview-customtools': LEVEL,
  'gemini-pro-latest': UNKNOWN,
  'gemini-flash-latest': UNKNOWN,
  'gemini-flash-lite-latest': UNKNOWN,
  'gemini-robotics-er-2-preview': UNKNOWN,
  'gemma-4-31b-it': {},
  'gemma-4-26b-a4b-it': {},
  'gemini-nano-banana-2.1': { ...UNKNOWN, ...PAGES_AS_IMAGES, image: TIERED_IMAGE },
  'gemini-3.1-flash-lite-image': { ...PAGES_AS_IMAGES, image: IMAGE },
  'gemini-3.6-flash': LEVEL,
  'gemini-3.5-flash': LEVEL,
  'gemini-3.5-flash-lite': LEVEL,
  'gemini-3.1-pro-preview': LEVEL,
  'gemini-3-flash-preview': LEVEL,
  'gemini-2.5-pro': TOP,
  'gemini-2.5-flash': budget(1, 24_576),
  'gemini-2.5-flash-lite': budget(512, 24_576),
  'gemini-3-pro-image': { ...TOP, ...PAGES_AS_IMAGES, image: TIERED_IMAGE },
  'gemini-3.1-flash-image': { ...THOUGHTLESS, ...PAGES_AS_IMAGES, image: TIERED_IMAGE, retires: '2026-10-29' },
  'gemini-2.5-flash-image': { ...THOUGHTLESS, image: { ...IMAGE, references: 3 } },
  'veo-3.1-generate-001': VEO,
  'veo-3.1-fast-generate-001': VEO,
  'veo-3.1-lite-generate-preview': VEO,
}

export function withFamilies(cards: readonly (Card & { readonly name: ModelName })[]): readonly Card[] {
  return cards.map((card) => ({ ...withVendorPrices(card), ...FAMILY_OF[card.name] }))
}

function withVendorPrices(card: Card & { readonly name: ModelName }): Card {
  const { prices, otherPrices, sources = [], ...vendor } = VENDOR_PRICES[card.name] ?? {}
  const others = Object.entries({ ...card.otherPrices, ...otherPrices }).filter(([, list]) => list.length > 0)
  return {
    ...card,
    ...vendor,
    sources: [...(card.sources ?? []), ...sources],
    ...(prices === undefined ? {} : { prices: { ...card.prices, ...prices } }),
    ...(otherPrices === undefined ? {} : { otherPrices: Object.fromEntries(others) }),
  }
}
