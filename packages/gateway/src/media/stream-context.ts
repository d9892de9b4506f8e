import type { AnswerTranslatorOptions, Protocol } from '@dragoman/core'
import { writingMedia } from '@dragoman/core/media'
import type { PreparedMedia } from './prepared-media.ts'
import type { MediaRules, StreamContext } from './rules.ts'

export function streamContext(
  rules: MediaRules,
  caller: Protocol,
  upstream: Protocol,
  media: PreparedMedia,
  options: AnswerTranslatorOptions,
): StreamContext {
  const { issuer = upstream.issuer, dialect } = options
  return {
    writing: writingMedia(rules, caller, media, options),
    operation: media.called,
    issuer,
    dialect,
    brief: media.brief,
  }
}
