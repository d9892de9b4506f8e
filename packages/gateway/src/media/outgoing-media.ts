import type { Prepared } from '../bodies/request-work.ts'
import type { Sending } from '../modes/send.ts'
import type { PreparedMedia } from './prepared-media.ts'

/** A body as the target of the call takes it. */
export function outgoingOf({ form }: PreparedMedia, body: Prepared['body']): Sending['body'] {
  if (form === undefined || typeof body === 'string') return body
  return { bytes: body, type: form }
}
