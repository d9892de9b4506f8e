import { DragomanError, type Extras, type Match, type Protocol } from '@dragoman/core'
import type { VideoState } from '@dragoman/core/media'
import { redactError, sendWhole, type Call, type Redact, type WholeAnswer } from '@dragoman/core/provider'
import { readJson } from '../ports/body.ts'
import { present, type BodyFacts, type LocalWork, type SentBody } from '../bodies/request-work.ts'
import { routeHeaders } from '../call/answer-head.ts'
import { createUpstream } from '../media/create-upstream.ts'
import { createRunTransport, type Ran } from '../media/run-transport.ts'
import type { Handler } from '../modes/handler.ts'
import { noStream } from '../modes/no-stream.ts'
import { resendStale } from '../modes/resend-stale.ts'
import { send, type CallParts } from '../modes/send.ts'
import type { LocalOperation, OperationCall } from '../pipeline/operation.ts'
import type { Route } from '../models/route.ts'
import type { Next } from '../routing/next.ts'
import { redactOf, upstreamName } from '../models/route-facts.ts'
import { NO_PREFERENCES } from '../routing/preferences.ts'
import type { Settings } from '../call/settings.ts'
import { codecOf, readName, sealingOf } from './operation-name.ts'
import { createEncoding, readWire } from './read-wire.ts'
import { linkVideos } from './result-link.ts'
import { VIDEO_PLAN } from './video-rules.ts'
import { routeOf, type VideoTask } from './video-task.ts'

interface PollFacts extends BodyFacts {
  /** Of the operation. */
  readonly name: string
}

/** The state of videos that are being generated. Asking for it is free. */
export const poll: LocalOperation<PollFacts> = {
  name: 'video-poll',
  body: 'json',
  codec: 'video',
  needsKey: true,
  metered: 'calls',
  createWork,
  answer(call) {
    findTask(call)
      .then((task) => ask(call, task))
      .catch(call.fail)
  },
}

function createWork(inbound: Protocol, match: Match, { bytes }: SentBody): LocalWork<PollFacts> {
  const codec = codecOf(inbound)
  return {
    read() {
      const body = codec.check(readJson(bytes), match)
      return { peek: inbound.relay.peek(body, match), name: codec.named(body) }
    },
    prepare() {
      throw new DragomanError('internal', 'A poll is not sent to the routes of a model.')
    },
    close() {},
  }
}

function findTask({ settings, exchange, match, body }: OperationCall<PollFacts>): Promise<VideoTask> {
  const { protocol, caller } = exchange
  const asked = [match.model, match.bare].flatMap((model) => model ?? [])
  return readName(sealingOf(settings), codecOf(protocol), caller, asked, body.name)
}

/** Only the route that has started the task knows it. */
function ask(call: OperationCall<PollFacts>, task: VideoTask): void {
  const { settings, exchange, fail } = call
  const { protocol, answer, meter } = exchange
  if (answer.over) return
  const route = routeOf(settings, exchange, task)
  meter.planned(route, VIDEO_PLAN, false, [])
  answer.front.described = routeHeaders(route, VIDEO_PLAN, [], 0, meter.attempts)
  let state: VideoState | undefined
  let error: DragomanError | undefined
  send(settings, exchange, route, {
    operation: poll.name,
    body: undefined,
    stream: false,
    next: NO_OTHER,
    fail,
    createHandler: (upstreamCall) =>
      createHandler(
        call,
        route,
        task,
        upstreamCall,
        () => present(state),
        () => error,
      ),
    compose: (parts) =>
      createRunTransport<VideoState>({
        run: (signal) => pollTask(settings, route, task, parts, signal),
        done: (result) => (state = redactState(result, redactOf(route))),
        failed: (thrown) => (error = redactError(thrown, redactOf(route))),
        statusOf: (thrown) => protocol.error.encode(thrown, '').status,
        clock: settings.clock,
        deadlineMs: parts.deadlines.head,
      }),
  })
}

/** No other route can answer. */
const NO_OTHER: Next = {
  policy: NO_PREFERENCES,
  failed: () => false,
  passOver() {},
  unusable() {},
  mayFollow: () => false,
}

function createHandler(
  { settings, exchange, body }: OperationCall<PollFacts>,
  route: Route,
  task: VideoTask,
  upstreamCall: Call,
  state: () => VideoState,
  error: () => DragomanError | undefined,
): Handler {
  const { protocol } = exchange
  return {
    call: upstreamCall,
    streamType: '',
    error: (status, text) => error() ?? route.protocol.error.decode(status, text),
    async whole() {
      const linked = await linkVideos(settings, exchange, route, task, state())
      const context = createEncoding(settings, protocol.issuer)
      const wire = codecOf(protocol).answer.encode({ name: body.name, state: linked }, context)
      return { body: JSON.stringify(wire), losses: context.losses.entries() }
    },
    stream: noStream,
  }
}

/** Upstreams may repeat a key in their words. */
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

async function pollTask(
  settings: Settings,
  route: Route,
  { token, key }: VideoTask,
  { headers, deadlines, transport }: CallParts,
  signal: AbortSignal,
): Promise<Ran<VideoState>> {
  if (typeof token !== 'string') {
    const upstream = createUpstream({ settings, route, deadlines, signal, headers, key })
    return { result: await present(route.provider.drivers?.video).poll(token, upstream) }
  }
  const answer = await pollUpstream(settings, route, token, key, { headers, deadlines, transport }, signal)
  if (answer.status < 200 || answer.status > 299) return { refused: answer }
  return { result: readWire(route, answer).state }
}

/** By the call of a protocol, with the name that the upstream gave the operation. */
function pollUpstream(
  settings: Settings,
  route: Route,
  name: string,
  key: number | undefined,
  { headers, deadlines, transport }: Pick<CallParts, 'headers' | 'deadlines' | 'transport'>,
  signal: AbortSignal,
): Promise<WholeAnswer> {
  const { path, method, body } = codecOf(route.protocol).poll(name, upstreamName(route))
  const call = route.provider.call(
    route.protocol.name,
    { path, method, headers: {} },
    {
      headers: { accept: 'application/json', 'user-agent': 'dragoman', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      deadlines,
      key,
    },
  )
  return sendWhole(resendStale(transport, settings.report), call, { signal, limit: settings.limits.answer })
}
