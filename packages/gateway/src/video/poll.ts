import type { Extras, Match, Protocol } from '@dragoman/core'
import type { VideoState } from '@dragoman/core/media'
import type { Redact } from '@dragoman/core/provider'
import { readJson } from '../ports/body.ts'
import { decodeText } from '../ports/collect.ts'
import { parseAnswer, type Outgoing } from '../bodies/answer-work.ts'
import { present, type BodyFacts, type LocalWork, type Prepared, type SentBody } from '../bodies/request-work.ts'
import type { OperationCall, RoutedOperation } from '../pipeline/operation.ts'
import type { Sending } from '../modes/send.ts'
import type { Route } from '../models/route.ts'
import { redactOf, upstreamName } from '../models/route-facts.ts'
import { codecOf, readName, sealingOf } from './operation-name.ts'
import { createEncoding, readOperation } from './read-operation.ts'
import { linkVideos } from './result-link.ts'
import { VIDEO_PLAN } from './video-rules.ts'
import type { VideoTask } from './video-task.ts'
import { driveWhole, wholeHandler } from './whole-handler.ts'

interface NamedFacts extends BodyFacts {
  /** The name of the operation. */
  readonly name: string
}

interface PollFacts extends NamedFacts {
  readonly pinned: VideoTask
}

/** The state of videos that are being generated. Asking for it is free. Only the route that has started a task knows it. */
export const poll: RoutedOperation<PollFacts, undefined, NamedFacts> = {
  name: 'video-poll',
  body: 'json',
  codec: 'video',
  needsKey: true,
  metered: 'calls',
  createWork,
  async resolve({ settings, exchange, match, body }) {
    const { protocol, caller } = exchange
    const models = [match.model, match.withoutPublisher].flatMap((model) => model ?? [])
    return { ...body, pinned: await readName(sealingOf(settings), codecOf(protocol), caller, models, body.name) }
  },
  send: sendPoll,
}

function createWork(inbound: Protocol, match: Match, { bytes }: SentBody): LocalWork<NamedFacts, undefined> {
  const codec = codecOf(inbound)
  return {
    read() {
      const body = codec.check(readJson(bytes), match)
      return { peek: inbound.relay.peek(body, match), name: codec.named(body) }
    },
    prepare: () => PREPARED,
    close() {},
  }
}

/** What is sent depends on the task alone. */
const PREPARED: Prepared<undefined> = { plan: VIDEO_PLAN, body: '', losses: [], lossCount: 0, asked: undefined }

function sendPoll(call: OperationCall<PollFacts, undefined>, route: Route): Sending {
  const { token } = call.body.pinned
  const sent = { operation: poll.name, body: undefined, stream: false }
  if (typeof token !== 'string') {
    const driver = present(route.provider.drivers?.video)
    return {
      ...sent,
      ...driveWhole(
        call,
        route,
        (upstream) => driver.poll(token, upstream),
        (state) => answerWith(call, route, state),
      ),
    }
  }
  const { path, method, body } = codecOf(route.protocol).poll(token, upstreamName(route))
  return {
    ...sent,
    target: { path, method, headers: {} },
    body: body === undefined ? undefined : JSON.stringify(body),
    createHandler: (upstreamCall) =>
      wholeHandler(route, upstreamCall, (bytes) =>
        answerWith(call, route, readOperation(route, parseAnswer(decodeText(bytes))).state),
      ),
  }
}

async function answerWith(
  { settings, exchange, body }: OperationCall<PollFacts, undefined>,
  route: Route,
  state: VideoState,
): Promise<Outgoing> {
  const { protocol } = exchange
  const linked = await linkVideos(settings, exchange, route, body.pinned, redactState(state, redactOf(route)))
  const context = createEncoding(settings, protocol.issuer)
  const wire = codecOf(protocol).answer.encode({ name: body.name, state: linked }, context)
  return { body: JSON.stringify(wire), losses: context.losses.entries() }
}

/** Upstreams may repeat a key in their messages. */
function redactState(state: VideoState, redact: Redact): VideoState {
  switch (state.status) {
    case 'running':
      return state
    case 'failed': {
      const { kind, message, extras } = state.error
      const others = extras === undefined ? {} : { extras: JSON.parse(redact(JSON.stringify(extras))) as Extras } // the same shape
      return { ...state, error: { kind, message: redact(message), ...others } }
    }
    case 'done': {
      const { blocked } = state
      return blocked === undefined ? state : { ...state, blocked: { ...blocked, reasons: blocked.reasons.map(redact) } }
    }
    default:
      return state satisfies never
  }
}
