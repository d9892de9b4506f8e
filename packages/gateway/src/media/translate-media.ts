import { createLosses } from '@dragoman/core'
import type { Call } from '@dragoman/core/provider'
import type { Handler } from '../modes/handler.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import { createUpstream } from './create-upstream.ts'
import type { MediaFacts } from './media-work.ts'
import type { PreparedMedia } from './prepared-media.ts'
import { readMediaAnswer } from './read-answer.ts'
import { noStream } from './no-stream.ts'
import type { MediaRequest, MediaRules } from './rules.ts'
import { writeAnswer } from './write-answer.ts'

/** Translates the answer to a translated media request. */
export function translateMedia<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  call: OperationCall<MediaFacts>,
  route: Route,
  upstreamCall: Call,
  media: PreparedMedia,
  asked: Request,
): Handler {
  const { settings } = call
  const { protocol } = route
  return {
    call: upstreamCall,
    streamType: '',
    error: (status, text) => protocol.error.decode(status, text),
    whole(bytes) {
      const read = readMediaAnswer(rules, route, media, bytes)
      if ('error' in read) return read
      const { answer, short } = read
      const { finish } = rules
      if (finish === undefined) return writeAnswer(rules, call, answer, asked, [], short)
      const losses = createLosses()
      const { signal } = new AbortController()
      const upstream = createUpstream({ settings, route, deadlines: settings.deadlines, signal })
      const finished = finish(answer, asked, upstream, losses)
      if (!(finished instanceof Promise)) return writeAnswer(rules, call, finished, asked, losses.entries(), short)
      return finished.then((done) => writeAnswer(rules, call, done, asked, losses.entries(), short))
    },
    stream: noStream,
  }
}
