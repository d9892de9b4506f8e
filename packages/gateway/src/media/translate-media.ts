import { createLosses, type Loss } from '@dragoman/core'
import type { Call } from '@dragoman/core/provider'
import type { Outgoing } from '../bodies/answer-work.ts'
import { present } from '../bodies/request-work.ts'
import type { Handler } from '../modes/handler.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import { redactOf } from '../route-facts.ts'
import { createUpstream } from './create-upstream.ts'
import type { MediaFacts } from './media-work.ts'
import type { PreparedMedia } from './prepared-media.ts'
import { readMediaAnswer } from './read-answer.ts'
import type { MediaRequest, MediaRules } from './rules.ts'
import { streamContext } from './stream-context.ts'
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
  const { settings, exchange } = call
  const { protocol } = route
  return {
    call: upstreamCall,
    streamType: protocol.stream.contentType(undefined),
    error: (status, text) => protocol.error.decode(status, text),
    whole(bytes, signal) {
      const losses = createLosses()
      const read = readMediaAnswer(rules, route, media, bytes, losses)
      if ('error' in read) return read
      const { short } = read
      const answer = rules.redact?.(read.answer, redactOf(route)) ?? read.answer
      const outgoing = (finished: Answer, more: readonly Loss[] = []): Outgoing =>
        writeAnswer(rules, call, finished, asked, [...losses.entries(), ...more], short)
      if (rules.finish === undefined) return outgoing(answer)
      const ofFinish = createLosses()
      const upstream = createUpstream({ settings, route, deadlines: settings.deadlines, signal: signal() })
      const finished = rules.finish(answer, asked, upstream, ofFinish)
      return finished instanceof Promise
        ? finished.then((late) => outgoing(late, ofFinish.entries()))
        : outgoing(finished, ofFinish.entries())
    },
    stream: () =>
      present(rules.streams).translate(
        exchange.protocol,
        protocol,
        streamContext(rules, call, route, media.operation, asked),
      ),
    restream: (answer) => {
      const context = streamContext(rules, call, route, media.operation, asked)
      return present(rules.streams).restream(protocol, answer, context)
    },
  }
}
