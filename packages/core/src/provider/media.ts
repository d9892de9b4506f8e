import type { ImageAnswer, ImageRequest } from '../ir/image.ts'
import type { Losses } from '../ir/loss.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Target } from '../protocols/protocol.ts'
import type { Multipart } from './content.ts'
import type { Clock } from './task.ts'
import type { Method } from './transport.ts'
import type { WholeAnswer } from './whole-answer.ts'

/** How a provider whose upstream has its own API for media calls that API. Requests are already fitted to the card. */
export interface Drivers {
  readonly image?: ImageDriver
}

/** Draws the pictures of a request. */
export interface ImageDriver {
  /** Rejects with a DragomanError. What the upstream cannot express is reported. A picture that was blocked is part of the answer. */
  draw(request: ImageRequest, upstream: Upstream, losses: Losses): Promise<ImageAnswer>
}

/** The upstream of a route, for a driver. Its credentials, its deadlines and the guarded client are behind it. */
export interface Upstream {
  /** The upstream's name of the model. */
  readonly model: string
  /** Calls a path under the base URL of the endpoint `own`. Resolves whatever the status is. */
  send(target: Target, body?: JsonObject | Multipart): Promise<WholeAnswer>
  /** Calls a URL that the upstream named, such as the state of a task. Credentials are sent to the provider's own origins only. */
  visit(url: string, method?: Method): Promise<WholeAnswer>
  /** Downloads a result that anybody can open, through the guarded client. */
  download(url: string): Promise<{ readonly bytes: Uint8Array; readonly type: string | undefined }>
  readonly clock: Clock
  /** Aborted when the caller is gone or the deadline of the call has passed. */
  readonly signal: AbortSignal
}
