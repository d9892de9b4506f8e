import { DragomanError } from './error.ts'
import type { DrawnImage, ImageAnswer, ImageEvent, ImageLook } from './image.ts'
import type { Node } from './extras.ts'
import type { Usage } from './usage.ts'

/** Collects the events of a stream into the answer that the same call would give without streaming. */
export interface ImageFold {
  push(event: ImageEvent): void
  /** Throws the error of the stream, or an interruption if it has not ended. */
  answer(): ImageAnswer
}

/**
 * Starts a fold: push the events of one stream, then take the answer. Unfinished images are not part of it. The look of the answer is that
 * of the last image that was not blocked.
 */
export function createImageFold(): ImageFold {
  const images: DrawnImage[] = []
  let look: ImageLook & Node = {}
  let hasDrawn = false
  let usage: Usage | undefined
  let ending: Extract<ImageEvent, { type: 'end' | 'error' }> | undefined
  return {
    push(event) {
      switch (event.type) {
        case 'partial':
          return
        case 'image':
          images.push(event.image)
          if (isDrawn(event.image) || !hasDrawn) look = event.look
          hasDrawn ||= isDrawn(event.image)
          usage = event.usage ?? usage
          return
        case 'end':
        case 'error':
          ending = event
          return
        default:
          event satisfies never
      }
    },
    answer() {
      if (ending === undefined) throw new DragomanError('interrupted', 'The stream ended before the answer did.')
      if (ending.type === 'error') throw ending.error
      return usage === undefined ? { ...look, images } : { ...look, images, usage }
    },
  }
}

/** A whole answer as the events of a stream, for upstreams that cannot stream. Folding them gives the answer, if it has an image. */
export function imageEvents({ images, usage, extras, ...look }: ImageAnswer): readonly ImageEvent[] {
  const drawn = images.findLastIndex(isDrawn)
  const last = drawn < 0 ? images.length - 1 : drawn
  const events = images.map((image, index): ImageEvent => {
    if (index !== last) return { type: 'image', image, look }
    const whole = extras === undefined ? look : { ...look, extras }
    return usage === undefined ? { type: 'image', image, look: whole } : { type: 'image', image, look: whole, usage }
  })
  return [...events, { type: 'end' }]
}

function isDrawn({ source }: DrawnImage): boolean {
  return source !== undefined
}
