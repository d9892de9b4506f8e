import { createLosses, DragomanError } from '@dragoman/core'
import {
  fitVideo,
  replaceLinkedFrames,
  reportVideoExtras,
  type MediaCodec,
  type VideoOperation,
  type VideoRequest,
} from '@dragoman/core/media'
import type { Prepared } from '../bodies/request-work.ts'
import type { PreparedMedia } from '../media/prepared-media.ts'
import type { MediaRules } from '../media/rules.ts'
import type { Plan } from '../models/plan.ts'

/** What the answer to a request needs to know about it. */
export type VideoBrief = Pick<VideoRequest, 'model' | 'settings'>

/** A request that is ready for its upstream. */
export type PreparedVideo = Prepared<PreparedMedia<VideoRequest, VideoBrief>>

/** What is different in videos: they are billed when an upstream has accepted the request. */
export const videoRules: MediaRules<VideoRequest, VideoOperation, VideoBrief> = {
  name: 'video',
  codecOf: ({ video }): MediaCodec<VideoRequest, VideoOperation> | undefined => video && { ...video, tap: noTap },
  has: ({ video }) => video !== undefined,
  fit: (request, { card: { video = {} } }, losses, locate) => fitVideo(request, video, losses, locate),
  links: replaceLinkedFrames,
  brief: ({ model, settings }) => ({ model, settings }),
  bill: () => undefined,
  settle,
}

/** The plan of every call for videos. */
export const VIDEO_PLAN: Plan = { mode: 'translate', because: 'the gateway names the operation' }

/** A driver knows no members that it was not written for. */
function settle(given: PreparedVideo): PreparedVideo {
  const [request] = given.asked.requests ?? []
  if (request === undefined) return { ...given, plan: VIDEO_PLAN }
  const lost = createLosses()
  reportVideoExtras(request, undefined, lost)
  const losses = [...given.losses, ...lost.entries()]
  return { ...given, plan: VIDEO_PLAN, losses, lossCount: given.lossCount + lost.entries().length }
}

function noTap(): never {
  throw new DragomanError('internal', 'The operations of videos are not relayed.')
}
