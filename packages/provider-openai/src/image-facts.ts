import type { ImageFacts } from '@dragoman/core/media'

const GPT_IMAGE = {
  most: 10,
  references: 16,
  mask: true,
  sizes: ['1024x1024', '1536x1024', '1024x1536', 'auto'],
  partials: 3,
  formats: ['image/png', 'image/jpeg', 'image/webp'],
  words: { quality: ['low', 'medium', 'high', 'auto'], background: ['transparent', 'opaque', 'auto'] },
  takes: ['quality', 'background', 'compression', 'safety', 'explainBlocks'],
} as const satisfies ImageFacts

/** The sizes of the usual aspect ratios, by the rule of custom sizes; three of them are presets. */
const PIXELS = {
  '1K': {
    '1:1': '1024x1024',
    '4:3': '1184x880',
    '3:4': '880x1184',
    '16:9': '1536x864',
    '9:16': '864x1536',
    '3:2': '1536x1024',
    '2:3': '1024x1536',
    '21:9': '1792x768',
  },
}

/** Since GPT Image 2, any size within these limits. */
const CUSTOM_SIZES = {
  ...GPT_IMAGE,
  custom: { multiple: 16, maxSide: 3840, maxRatio: 3, minPixels: 655_360, maxPixels: 8_294_400 },
  tiers: ['1K', '2K', '4K'],
  pixels: PIXELS,
} as const satisfies ImageFacts

/** Since GPT Image 2.5, two more qualities. */
const MORE_QUALITIES = {
  ...CUSTOM_SIZES,
  words: { ...GPT_IMAGE.words, quality: ['low', 'medium', 'high', 'xhigh', 'max', 'auto'] },
} as const satisfies ImageFacts

/** What each model draws. Dates of the facts: 2026-11. */
export const IMAGE_FACTS = {
  'gpt-image-2.6-sunburst': MORE_QUALITIES,
  'gpt-image-2.6-flare': MORE_QUALITIES,
  'gpt-image-2.5-sunburst': MORE_QUALITIES,
  'gpt-image-2.5-flare': MORE_QUALITIES,
  // It points to another model from time to time: what all of them draw.
  'chatgpt-image-latest': GPT_IMAGE,
  'gpt-image-2': CUSTOM_SIZES,
  'gpt-image-1.5': { ...GPT_IMAGE, takes: [...GPT_IMAGE.takes, 'fidelity'] },
  'gpt-image-1-mini': GPT_IMAGE,
} as const satisfies { readonly [model: string]: ImageFacts }
