import { DragomanError } from '@dragoman/core'
import {
  fitVideo,
  replaceLinkedFrames,
  type MediaCodec,
  type VideoOperation,
  type VideoRequest,
} from '@dragoman/core/media'
import type { MediaRules } from '../media/rules.ts'

/** What is different in videos: they are billed when an upstream has accepted the request. */
export const videoRules: MediaRules<VideoRequest, VideoOperation> = {
  name: 'video',
  codecOf: ({ video }): MediaCodec<VideoRequest, VideoOperation> | undefined => video && { ...video, tap: noTap },
  has: ({ video }) => video !== undefined,
  fit: (request, { video = {} }, losses, locate) => fitVideo(request, video, losses, locate),
  links: replaceLinkedFrames,
  brief: ({ model, settings }) => ({ model, settings }),
  bill: () => undefined,
  drive: () => undefined,
}

function noTap(): never {
  throw new DragomanError('internal', 'The operations of videos are not relayed.')
}
