import type { ImageFacts, VideoFacts } from '@dragoman/core/media'
import { perCount, usd, type Card, type CardSource } from '@dragoman/core/provider'
import { modelsOf } from '../models.ts'

const IMAGE: ImageFacts = {
  most: 10,
  ratios: ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '2:1', '1:2', '19.5:9', '9:19.5', '20:9', '9:20', 'auto'],
  tiers: ['1K', '2K'],
  takes: ['explainBlocks'],
  refuses: ['mask'],
}

const VIDEO: VideoFacts = {
  ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'],
  resolutions: ['480p', '720p'],
  seconds: { min: 1, max: 15 },
  audio: 'always',
  frames: ['first'],
  references: 7,
  takes: ['user'],
}

/** The vendor's page of models and of the prices of tools. */
const PAGE: CardSource = { facts: ['name', 'limits'], from: 'https://docs.x.ai/developers/models', date: '2026-11' }

/** Models that draw, which the catalogue of `models.ts` does not have, with the most images that they edit together. */
const IMAGE_MODELS: readonly Card[] = (
  [
    ['grok-imagine-image-2.0', 'xAI: Grok Imagine Image 2.0', 5],
    ['grok-imagine-image-quality', 'xAI: Grok Imagine Image Quality', 3],
    ['grok-imagine-image', 'xAI: Grok Imagine Image', 3],
    // Replaced by the quality model in May 2026.
    ['grok-imagine-image-pro', 'xAI: Grok Imagine Image Pro', 1],
  ] as const
).map(([name, display, references]) => ({
  name,
  display,
  owner: 'x-ai',
  input: ['text', 'image'],
  output: ['image'],
  protocols: ['own'],
  image: { ...IMAGE, references },
  sources: [PAGE],
}))

/** Each call of its search tool. The catalogue has no price for it. */
const SEARCHES = usd({ web_search: perCount(0.005) })

const FACTS_OF: { readonly [model: string]: Partial<Card> } = {
  'grok-imagine-video': { protocols: ['own'], video: VIDEO },
}

/** Best first: models that reason go on with their reasoning. */
const BOTH = ['responses', 'chat']

/** All models of xAI, with what those of the own API can do. */
export const models: readonly Card[] = [
  ...modelsOf['x-ai'].map((card: Card) => ({
    ...card,
    ...(card.prices === undefined
      ? {}
      : {
          prices: { ...card.prices, ...SEARCHES },
          sources: [...(card.sources ?? []), { ...PAGE, facts: ['prices'] as const }],
        }),
    protocols: BOTH,
    ...FACTS_OF[card.name],
  })),
  ...IMAGE_MODELS,
]
