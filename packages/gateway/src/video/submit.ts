import { createLosses, type DragomanError, type JsonObject, type Loss, type Match } from '@dragoman/core'
import { reportVideoExtras, type VideoRequest } from '@dragoman/core/media'
import { billedVideo, redactError, sendWhole, type Call } from '@dragoman/core/provider'
import { present, type Prepared } from '../bodies/request-work.ts'
import { routeHeaders } from '../answer-head.ts'
import { createUpstream } from '../media/create-upstream.ts'
import type { MediaKind } from '../media/media-kind.ts'
import { modeOf } from '../media/media-mode.ts'
import { mediaOperation } from '../media/media-operation.ts'
import { createMediaWork, type MediaFacts } from '../media/media-work.ts'
import type { PreparedMedia } from '../media/prepared-media.ts'
import { noStream } from '../media/no-stream.ts'
import { createRunTransport, type Ran } from '../media/run-transport.ts'
import type { Handler } from '../modes/handler.ts'
import { resendStale } from '../modes/resend-stale.ts'
import { send, type CallParts } from '../modes/send.ts'
import { acceptPlan } from '../operations/accept-plan.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Plan } from '../plan.ts'
import type { Route } from '../route.ts'
import { redactOf } from '../route-facts.ts'
import type { Next } from '../routing/next.ts'
import type { Settings } from '../settings.ts'
import { codecOf, sealingOf, writeName } from './operation-name.ts'
import { createEncoding, readWire } from './read-wire.ts'
import { videoRules } from './video-rules.ts'
import type { VideoTask } from './video-task.ts'

const video: MediaKind = {
  name: videoRules.name,
  serves: (route) =>
    videoRules.has(route.card) &&
    (modeOf(videoRules, route) === 'protocol' || route.provider.drivers?.video !== undefined),
  createWork: (inbound, match, body, options) => createMediaWork(videoRules, inbound, match, body, options),
  formOf: () => undefined,
  ask,
}

/** Starts the generation of videos. The answer is the name of an operation. */
export const submit = mediaOperation({ name: 'video-submit', codec: 'video', kinds: [video] })

const PLAN: Plan = { mode: 'translate', because: 'the gateway names the operation' }

function ask(call: OperationCall<MediaFacts>, route: Route, given: Prepared, next: Next): void {
  const { settings, exchange, match, fail } = call
  const { protocol, caller, answer, meter } = exchange
  const sealing = sealingOf(settings)
  const prepared = planned(given)
  if (answer.over || !acceptPlan(call, route, prepared, next)) return
  const media = present(prepared.media)
  const codec = codecOf(protocol)
  let submitted: Submitted | undefined
  let error: DragomanError | undefined
  const createHandler = (upstreamCall: Call): Handler => ({
    call: upstreamCall,
    streamType: '',
    error: (status, text) => error ?? route.protocol.error.decode(status, text),
    async whole() {
      const { task, losses } = present(submitted)
      const lost = [...prepared.losses, ...losses]
      // What a driver could not express is known only now.
      answer.front.described = routeHeaders(route, PLAN, lost, prepared.lossCount + losses.length, meter.attempts)
      const name = await writeName(sealing, codec, caller, modelOf(match, route), task)
      const asked = media.asked as VideoRequest // by the work of the same kind
      const wire = codec.answer.encode(
        { name, state: { status: 'running' } },
        createEncoding(settings, protocol.issuer),
      )
      return { body: JSON.stringify(wire), usage: billedVideo(asked, route.card.video ?? {}), losses }
    },
    stream: noStream,
  })
  send(settings, exchange, route, {
    operation: media.operation,
    body: prepared.body,
    stream: false,
    next,
    fail,
    createHandler,
    bill: billedVideo(media.asked as VideoRequest, route.card.video ?? {}), // by the work of the same kind
    compose: (parts) =>
      createRunTransport<Submitted>({
        run: (signal) =>
          media.mode === 'driver'
            ? drive(settings, route, present(driven(media)), parts, signal)
            : post(settings, route, prepared, parts, signal),
        done: (result) => (submitted = result),
        failed: (thrown) => (error = redactError(thrown, redactOf(route))),
        statusOf: (thrown) => protocol.error.encode(thrown, '').status,
        clock: settings.clock,
        deadlineMs: parts.deadlines.head,
      }),
  })
}

/** A driver knows no members that it was not written for. */
function planned(given: Prepared): Prepared {
  const request = driven(given.media)
  if (request === undefined) return { ...given, plan: PLAN }
  const lost = createLosses()
  reportVideoExtras(request, undefined, lost)
  const losses = [...given.losses, ...lost.entries()]
  return { ...given, plan: PLAN, losses, lossCount: given.lossCount + lost.entries().length }
}

/** The request for a driver; undefined if the upstream is called by its protocol. */
function driven(media: PreparedMedia | undefined): VideoRequest | undefined {
  const [request] = media?.request ?? []
  return request as VideoRequest | undefined // by the work of the same kind
}

interface Submitted {
  readonly task: VideoTask
  readonly losses: readonly Loss[]
}

/** By the driver of a provider. */
async function drive(
  settings: Settings,
  route: Route,
  request: VideoRequest,
  { transport, headers, deadlines }: CallParts,
  signal: AbortSignal,
): Promise<Ran<Submitted>> {
  const upstream = createUpstream({ settings, route, deadlines, signal, headers, transport })
  const losses = createLosses()
  const token = await present(route.provider.drivers?.video).submit(request, upstream, losses)
  return { result: { task: taskOf(route, upstream.key(), token), losses: losses.entries() } }
}

/** By the call of a protocol. */
async function post(
  settings: Settings,
  route: Route,
  { body }: Prepared,
  { transport, call }: CallParts,
  signal: AbortSignal,
): Promise<Ran<Submitted>> {
  const upstreamCall = call(body)
  const answer = await sendWhole(resendStale(transport, settings.report), upstreamCall, { signal })
  if (answer.status < 200 || answer.status > 299) return { refused: answer }
  const { name } = readWire(route, answer)
  return { result: { task: taskOf(route, upstreamCall.key, name), losses: [] } }
}

function taskOf({ id, protocol }: Route, key: number | undefined, token: JsonObject | string): VideoTask {
  return { route: id, protocol: protocol.name, token, ...(key === undefined ? {} : { key }) }
}

/** The name has the model that was asked for, so that the path of a poll is right. A model without a provider gets that of its route. */
function modelOf({ model = '' }: Match, { id }: Route): string {
  return model.includes('/') ? model : id
}
