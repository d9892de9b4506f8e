import type { ImageFacts, VideoFacts } from '@dragoman/core/media'

/** Gemini draws in its answers, one image each. People and file formats can be chosen on the cloud platform alone. */
export const IMAGE: ImageFacts = {
  via: 'generate',
  most: 4,
  perCall: 1,
  references: 14,
  ratios: ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'],
  takes: ['seed', 'safety', 'explainBlocks'],
  refuses: ['mask'],
}

/** The newer models draw in several resolutions. */
export const TIERED_IMAGE: ImageFacts = { ...IMAGE, tiers: ['1K', '2K', '4K'] }

/** Veo 3.1 in the Gemini API, where seeds, frame rates and silent videos cannot be asked for. */
export const VIDEO: VideoFacts = {
  most: 4,
  ratios: ['16:9', '9:16'],
  resolutions: ['720p', '1080p', '4k'],
  seconds: [4, 6, 8],
  secondsAt: { '1080p': [8], '4k': [8] },
  secondsWithReferences: [8],
  defaultSeconds: 8,
  audio: 'always',
  frames: ['first', 'last'],
  references: 3,
  people: ['dont_allow', 'allow_adult', 'allow_all'],
  takes: ['negativePrompt'],
}
