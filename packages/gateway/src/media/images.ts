import { DragomanError } from '@dragoman/core'
import {
  addUsage,
  drawnImages,
  fitImage,
  imageConversation,
  refuseLostImages,
  replaceLinkedImages,
  type DrawnImage,
  type ImageAnswer,
  type ImageRequest,
} from '@dragoman/core/media'
import type { Redact, Upstream } from '@dragoman/core/provider'
import { encodeBase64 } from '../bodies/base64-bytes.ts'
import { UNSEEN } from '../bodies/media-tokens.ts'
import { present } from '../bodies/request-work.ts'
import { textTokens } from '../bodies/text-tokens.ts'
import { billImages, billImageCount } from './bill-images.ts'
import { imageStreams } from './image-streams.ts'
import type { MediaRules } from './rules.ts'

/** Images: new ones, and edits of given ones. */
export const images: MediaRules<ImageRequest, ImageAnswer, ImageRequest> = {
  name: 'image',
  codecOf: ({ image }) => image,
  has: ({ image }) => image !== undefined,
  fit: (request, { card }, losses, locate) => fitImage(request, present(card.image), losses, locate),
  links: replaceLinkedImages,
  refuse: refuseLostImages,
  brief: ({ references: _, mask: __, extras: ___, ...request }) => request,
  // The size of a given image is not known here: it may be a stand-in, or an address.
  input: ({ prompt, references = [], mask }) =>
    textTokens(prompt) + (references.length + (mask === undefined ? 0 : 1)) * UNSEEN.image,
  hasFiles: true,
  bill: billImages,
  expect: (asked) => billImageCount({ images: asked.settings.count ?? 1 }, asked),
  drive({ drivers }) {
    const driver = drivers?.image
    return driver && ((request, upstream, losses) => driver.draw(request, upstream, losses))
  },
  conversation: {
    has: ({ image }) => image?.via === 'generate',
    encode: imageConversation,
    decode: drawnImages,
  },
  split(request, { image }) {
    const { count = 1 } = request.settings
    // A conversation draws one image or a few, as the model decides.
    const { perCall = image?.via === 'generate' ? 1 : count } = image ?? {}
    const calls = Math.ceil(count / perCall)
    if (calls <= 1) return [request]
    return Array.from({ length: calls }, (_, index) => ({
      ...request,
      settings: { ...request.settings, count: Math.min(perCall, count - index * perCall) },
    }))
  },
  join: joinAnswers,
  finish(answer, asked, upstream) {
    // A caller that asks for URLs gets them as they are.
    const wantsUrls = asked.delivery.form === 'url'
    if (wantsUrls || !answer.images.some(isLink)) return answer
    return download(answer, upstream)
  },
  redact: (answer, redact) => ({ ...answer, images: answer.images.map((image) => redactBlocked(image, redact)) }),
  streams: imageStreams,
  formOf: ({ image }) => image?.form,
  requested: ({ model, settings }) => ({ asked: { model }, requested: settings }),
}

/** The usages are added; what the answers say about their images is the same. */
function joinAnswers(answers: readonly ImageAnswer[]): ImageAnswer {
  const [first] = answers
  const usage = answers.map((answer) => answer.usage).reduce(addUsage)
  return {
    ...present(first),
    images: answers.flatMap((answer) => answer.images),
    ...(usage === undefined ? {} : { usage }),
  }
}

function redactBlocked(image: DrawnImage, redact: Redact): DrawnImage {
  return image.blocked === undefined ? image : { ...image, blocked: redact(image.blocked) }
}

function isLink({ source }: DrawnImage): boolean {
  return source?.kind === 'url'
}

/** Images by URL become their bytes: such a URL is gone in minutes or a day. */
async function download(answer: ImageAnswer, upstream: Upstream): Promise<ImageAnswer> {
  const images = await Promise.all(
    answer.images.map(async (image): Promise<DrawnImage> => {
      if (image.source?.kind !== 'url') return image
      const { url, mime } = image.source
      const { bytes, type = mime } = await upstream.download(url)
      if (type === undefined) throw new DragomanError('upstream', 'The upstream answered with a file that is no image.')
      return { ...image, source: { kind: 'base64', mime: type, data: LATIN.decode(encodeBase64(bytes)) } }
    }),
  )
  return { ...answer, images }
}

/** Base64 is ASCII. */
const LATIN = new TextDecoder('latin1')
