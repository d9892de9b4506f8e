import { createLosses } from '@dragoman/core'
import {
  mediaKinds,
  reportVideoExtras,
  type VideoBrief,
  type VideoFacts,
  type VideoOperation,
  type VideoRequest,
} from '@dragoman/core/media'
import type { Prepared } from '../bodies/request-work.ts'
import type { PreparedMedia } from '../media/prepared-media.ts'
import type { MediaRules } from '../media/rules.ts'
import type { Plan } from '../models/plan.ts'

/** A request that is ready for its upstream. */
export type PreparedVideo = Prepared<PreparedMedia<VideoRequest, VideoBrief>>

/** Videos, whose operations have names of the gateway. */
export const videoRules: MediaRules<VideoRequest, VideoOperation, VideoFacts, VideoBrief> = {
  ...mediaKinds.video,
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
