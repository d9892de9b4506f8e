import type { PriceTerms, Usage } from './usage.ts'

/** What an answer can be billed for: the usage of a conversation, and what media models count instead of tokens. */
export interface Billed extends Usage, PriceFacts {
  /** Images of the answer. Billed only if their tokens are not. */
  readonly images?: number
  /** The number of pixels of each image. */
  readonly pixels?: readonly number[]
  /** Seconds of video without sound. */
  readonly videoSeconds?: number
  /** Seconds of video with sound. */
  readonly audioVideoSeconds?: number
}

/** What was generated and under which terms, for prices that depend on it, in the words of the upstream. */
export type PriceFacts = LookFacts & PriceTerms

/** The facts about generated media that prices can depend on. */
export type LookFacts = {
  /** `1080p` of a video, `2K` of an image. */
  readonly resolution?: string
  readonly quality?: string
  /** The pixels of an image: `1024x1536`. */
  readonly size?: string
}
