import type { ImageFacts, VideoFacts } from '@dragoman/core/media'
import type { Card } from '@dragoman/core/provider'
import type { earlierModels } from './earlier-models.ts'
import type { models } from './models.ts'

type ModelName = (typeof models | typeof earlierModels)[number]['name']
type Facts = Pick<Card, 'image' | 'video'> & Partial<Pick<Card, 'output'>>

const IMAGE: ImageFacts = {
  most: 9,
  references: 1,
  ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9'],
  tiers: ['1K', '2K'],
  formats: ['image/png'],
  takes: ['negativePrompt', 'watermark', 'explainBlocks'],
  refuses: ['mask'],
}

const VIDEO: VideoFacts = {
  ratios: ['16:9', '9:16', '1:1'],
  resolutions: ['720p', '1080p'],
  seconds: [5, 10],
  defaultSeconds: 5,
  audio: 'never',
  frames: ['first', 'last'],
  takes: ['negativePrompt'],
}

const FACTS_OF: { readonly [Name in ModelName]: Facts } = {
  'kling-v3': {
    output: ['video', 'audio', 'image'],
    image: IMAGE,
    video: { ...VIDEO, seconds: { min: 3, max: 15 }, audio: 'off' },
  },
  'kling-v2-6': { video: { ...VIDEO, audio: 'off' } },
  'kling-v2-1': { image: IMAGE, video: VIDEO },
  'kling-v1-6': { video: { ...VIDEO, references: 4 } },
}

export function withFacts(cards: readonly (Card & { readonly name: ModelName })[]): readonly Card[] {
  return cards.map((card) => ({ ...card, ...FACTS_OF[card.name] }))
}
