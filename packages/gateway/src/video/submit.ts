import { createLosses, type Loss, type Match } from '@dragoman/core'
import { billedVideo, type Billed } from '@dragoman/core/provider'
import { isErrorBody } from '@dragoman/core/protocols'
import { parseAnswer, type Outgoing } from '../bodies/answer-work.ts'
import { present, type BodyFacts } from '../bodies/request-work.ts'
import { routeHeaders } from '../call/answer-head.ts'
import { modeOf } from '../media/media-mode.ts'
import { mediaOperation } from '../media/media-operation.ts'
import type { OperationCall } from '../pipeline/operation.ts'
import type { Sending } from '../modes/send.ts'
import { decodeText } from '../ports/collect.ts'
import type { Route } from '../models/route.ts'
import { codecOf, sealingOf, writeName } from './operation-name.ts'
import { createEncoding, readOperation } from './read-operation.ts'
import { VIDEO_PLAN, videoRules, type PreparedVideo } from './video-rules.ts'
import type { VideoTask } from './video-task.ts'
import { driveWhole, wholeHandler } from './whole-handler.ts'

const base = mediaOperation(videoRules, 'video-submit')

/** Starts the generation of videos. The answer is the name of an operation. */
export const submit: typeof base = {
  ...base,
  serves: ({ card, provider, ...route }) =>
    card.video !== undefined &&
    (modeOf(videoRules, { card, ...route }) === 'protocol' || provider.drivers?.video !== undefined),
  bill: billVideo,
  send: sendVideo,
}

function billVideo({ card }: Route, { asked }: PreparedVideo): Billed | undefined {
  return billedVideo(asked.brief, card.video ?? {})
}

function sendVideo(
  call: OperationCall<BodyFacts, PreparedVideo['asked']>,
  route: Route,
  prepared: PreparedVideo,
): Sending {
  const { settings, exchange, match } = call
  const { protocol, caller, answer, meter } = exchange
  const sealing = sealingOf(settings)
  const codec = codecOf(protocol)
  const { requests: [request] = [], called } = prepared.asked
  const answerWith = async (
    key: number | undefined,
    token: VideoTask['token'],
    losses: readonly Loss[],
  ): Promise<Outgoing> => {
    const lost = [...prepared.losses, ...losses]
    // The losses of a driver are known only now.
    answer.front.described = routeHeaders(route, VIDEO_PLAN, lost, prepared.lossCount + losses.length, meter.attempts)
    const task = { id: route.id, protocol: route.protocol.name, key, token }
    const named = await writeName(sealing, codec, caller, modelOf(match, route), task)
    const operation = { name: named, state: { status: 'running' } } as const
    const wire = codec.answer.encode(operation, createEncoding(settings, protocol.issuer))
    return { body: JSON.stringify(wire), usage: billVideo(route, prepared), losses }
  }
  const sent = { operation: called, body: prepared.body, stream: false }
  if (request === undefined)
    return {
      ...sent,
      createHandler: (upstreamCall) =>
        wholeHandler(route, upstreamCall, (bytes) => {
          const text = decodeText(bytes)
          const body = parseAnswer(text)
          return isErrorBody(body) ? { error: text } : answerWith(upstreamCall.key, readOperation(route, body).name, [])
        }),
    }
  const driver = present(route.provider.drivers?.video)
  return {
    ...sent,
    ...driveWhole(
      call,
      route,
      async (upstream) => {
        const losses = createLosses()
        const token = await driver.submit(request, upstream, losses)
        return { key: upstream.key(), token, losses: losses.entries() }
      },
      ({ key, token, losses }) => answerWith(key, token, losses),
    ),
  }
}

/** The name has the model that was asked for, so that the path of a poll is right. A model without a provider gets that of its route. */
function modelOf({ model = '' }: Match, { id }: Route): string {
  return model.includes('/') ? model : id
}
