import type { AnswerTranslatorOptions, Protocol } from '@dragoman/core'
import type { Prepared } from '../bodies/request-work.ts'
import type { Handler } from '../modes/handler.ts'
import type { Sending } from '../modes/send.ts'
import type { Route } from '../models/route.ts'
import type { Settings } from '../call/settings.ts'
import type { PreparedMedia } from './prepared-media.ts'

/** What the handling of an answer needs. */
export interface AnsweredMedia {
  readonly settings: Settings
  readonly route: Route
  readonly caller: Protocol
  readonly upstream: Protocol
  readonly media: PreparedMedia
  readonly options: AnswerTranslatorOptions
  readonly pricing: Handler['pricing']
}

/** A body as the target of the call takes it. */
export function outgoingOf({ form }: Pick<Prepared, 'form'>, body: Prepared['body']): Sending['body'] {
  if (form === undefined || typeof body === 'string') return body
  return { bytes: body, type: form }
}
