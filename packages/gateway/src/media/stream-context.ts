import type { AnswerTranslatorOptions, Protocol } from '@dragoman/core'
import { writingFor } from './answers.ts'
import type { PreparedMedia } from './prepared-media.ts'
import type { MediaRequest, MediaRules, StreamContext } from './rules.ts'

export function streamContext<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  caller: Protocol,
  upstream: Protocol,
  media: PreparedMedia<Request, Brief>,
  options: AnswerTranslatorOptions,
): StreamContext<Brief> {
  const { issuer = upstream.issuer, dialect } = options
  return {
    writing: writingFor(rules, caller, media, options),
    operation: media.called,
    issuer,
    dialect,
    brief: media.brief,
  }
}
