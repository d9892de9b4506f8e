import type { ImageAnswer, ImageRequest } from '../ir/image.ts'
import type { Losses } from '../ir/loss.ts'
import type { VideoRequest, VideoState } from '../ir/video.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Target } from '../protocols/context.ts'
import type { Multipart, Clock, Method } from './transport.ts'
import type { WholeAnswer } from './whole-answer.ts'

/** How a provider whose upstream has its own API for media calls that API. Requests are already fitted to the card. */
export interface Drivers {
  readonly image?: ImageDriver
  readonly video?: VideoDriver
}

/** Draws the images of a request. */
export interface ImageDriver {
  /** Rejects with a DragomanError. What the upstream cannot express is reported. An image that was blocked is part of the answer. */
  draw(request: ImageRequest, upstream: Upstream, losses: Losses): Promise<ImageAnswer>
}

/**
 * Generates videos, which takes minutes: a submission returns at once, and its state is asked for later, possibly by another instance of
 * the gateway. All calls of a task are made with the key that started it.
 */
export interface VideoDriver {
  /**
   * Starts the videos of a request. Resolves with everything that `poll` needs, as small JSON: it is sealed in the operation's name and is
   * the only state. Rejects with a DragomanError if the upstream did not accept the request.
   */
  submit(request: VideoRequest, upstream: Upstream, losses: Losses): Promise<JsonObject>
  /** Rejects only if the state is not known: a task that failed is a state. An upstream that answered at once is done at the first poll. */
  poll(token: JsonObject, upstream: Upstream): Promise<VideoState>
  /** The file of a video that has no source, by its position among the videos: made in this process, or at a path of the upstream. */
  open?(token: JsonObject, index: number, upstream: Upstream): Promise<VideoFile>
}

/** The file of a video: its bytes, or the path under the endpoint `own` that serves it for the provider's credential. */
export type VideoFile =
  | { readonly bytes: Uint8Array; readonly mime: string }
  | { readonly path: string; readonly mime: string }

/** The upstream of a route, for a driver. Its credentials, its deadlines and the guarded client are behind it. */
export interface Upstream {
  /** The upstream's name of the model. */
  readonly model: string
  /** Calls a path under the base URL of the endpoint `own`. Resolves whatever the status is. */
  send(target: Target, body?: JsonObject | Multipart): Promise<WholeAnswer>
  /** Stops a task: makes a call whose answer is ignored, also after `signal` has aborted. */
  cancel?(target: Target): void
  /** Calls a URL that the upstream named, such as the state of a task. Credentials are sent to the provider's own origins only. */
  visit(url: string, method?: Method): Promise<WholeAnswer>
  /** Downloads a result that anybody can open, through the guarded client. */
  download(url: string): Promise<{ readonly bytes: Uint8Array; readonly type: string | undefined }>
  readonly clock: Clock
  /** Aborted when the caller is gone or the deadline of the call has passed. */
  readonly signal: AbortSignal
}
