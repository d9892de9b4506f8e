import { DragomanError } from '@dragoman/core'
import type { Refusal } from './call/door.ts'

/** The error for a call that a door refuses. */
export function refusalOf(why: Refusal, limit: number): DragomanError {
  switch (why) {
    case 'too-large':
      return new DragomanError('too-large', `The body is larger than ${limit} bytes.`)
    case 'malformed':
      return new DragomanError('invalid-request', 'The body could not be read.')
    case 'timeout':
      return new DragomanError('request-timeout', 'The body did not arrive in time.')
    case 'encoding':
      return new DragomanError('media-type', 'The content-encoding of the body is not supported.')
    case 'no-room':
      return new DragomanError('overloaded', 'The gateway holds as many request bodies as it has room for.', {
        code: 'too_many_large_requests',
        retryAfter: 5,
      })
    case 'malformed-head':
      return new DragomanError('invalid-request', 'The request is not valid HTTP.')
    case 'large-head':
      return new DragomanError('headers-too-large', 'The headers of the request are too large.')
    case 'no-host':
      return new DragomanError('invalid-request', 'The request has no Host header.')
    case 'expectation':
      return new DragomanError('expectation', 'The request expects something other than 100-continue.')
    case 'slow-head':
      return new DragomanError('request-timeout', 'The request did not arrive in time.')
    default:
      return why satisfies never
  }
}
