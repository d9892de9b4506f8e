import { createLosses, type DragomanError, type JsonObject, type Loss, type Match } from '@dragoman/core'
import type { VideoRequest } from '@dragoman/core/media'
import { billedVideo, redactError, sendWhole, type Call } from '@dragoman/core/provider'
import { present, type BodyFacts } from '../bodies/request-work.ts'
import { routeHeaders } from '../call/answer-head.ts'
import { createUpstream } from '../media/create-upstream.ts'
import { modeOf } from '../media/media-mode.ts'
import { mediaOperation } from '../media/media-operation.ts'
import { createRunTransport, type Ran } from '../media/run-transport.ts'
import type { Handler } from '../modes/handler.ts'
import { noStream } from '../modes/no-stream.ts'
import { resendStale } from '../modes/resend-stale.ts'
import type { CallParts } from '../modes/send.ts'
import type { OperationCall, Sent } from '../pipeline/operation.ts'
import type { Route } from '../models/route.ts'
import { redactOf } from '../models/route-facts.ts'
import type { Settings } from '../call/settings.ts'
import { codecOf, sealingOf, writeName } from './operation-name.ts'
import { createEncoding, readWire } from './read-wire.ts'
import { VIDEO_PLAN, videoRules, type PreparedVideo } from './video-rules.ts'
import type { VideoTask } from './video-task.ts'

const base = mediaOperation(videoRules, { name: 'video-submit', codec: 'video' })

/** Starts the generation of videos. The answer is the name of an operation. */
export const submit: typeof base = {
  ...base,
  serves: ({ card, provider, ...route }) =>
    videoRules.has(card) &&
    (modeOf(videoRules, { card, ...route }) === 'protocol' || provider.drivers?.video !== undefined),
  send: sendVideo,
}

function sendVideo(
  { settings, exchange, match }: OperationCall<BodyFacts, PreparedVideo['asked']>,
  route: Route,
  prepared: PreparedVideo,
): Sent {
  const { protocol, caller, answer, meter } = exchange
  const sealing = sealingOf(settings)
  const { brief, requests = [], called } = prepared.asked
  const [driven] = requests
  const codec = codecOf(protocol)
  const bill = billedVideo(brief, route.card.video ?? {})
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
      answer.front.described = routeHeaders(route, VIDEO_PLAN, lost, prepared.lossCount + losses.length, meter.attempts)
      const name = await writeName(sealing, codec, caller, modelOf(match, route), task)
      const wire = codec.answer.encode(
        { name, state: { status: 'running' } },
        createEncoding(settings, protocol.issuer),
      )
      return { body: JSON.stringify(wire), usage: bill, losses }
    },
    stream: noStream,
  })
  return {
    operation: called,
    body: prepared.body,
    stream: false,
    createHandler,
    bill,
    compose: (parts) =>
      createRunTransport<Submitted>({
        run: (signal) =>
          driven === undefined
            ? post(settings, route, prepared, parts, signal)
            : drive(settings, route, driven, parts, signal),
        done: (result) => (submitted = result),
        failed: (thrown) => (error = redactError(thrown, redactOf(route))),
        statusOf: (thrown) => protocol.error.encode(thrown, '').status,
        clock: settings.clock,
        deadlineMs: parts.deadlines.head,
      }),
  }
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
  { body }: PreparedVideo,
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
