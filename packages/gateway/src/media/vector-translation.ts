import type { EmbeddingAnswerFacts, EmbeddingAnswerOptions } from '@dragoman/core/media'

/** How answers are translated. Plain data except for `id`, because it crosses threads. */
export interface VectorTranslation {
  readonly facts: EmbeddingAnswerFacts
  readonly options: EmbeddingAnswerOptions
}
