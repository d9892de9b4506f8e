import { DragomanError } from '@dragoman/core'
import { mediaKinds, type DrawnImage, type ImageAnswer, type ImageFacts, type ImageRequest } from '@dragoman/core/media'
import type { Redact, Upstream } from '@dragoman/core/provider'
import { encodeBase64 } from '../bodies/base64-bytes.ts'
import { UNSEEN } from '../bodies/media-tokens.ts'
import { textTokens } from '../bodies/text-tokens.ts'
import { imageStreams } from './image-streams.ts'
import type { MediaRules } from './rules.ts'

/** Images, with drivers, downloads and streams. */
export const imageRules: MediaRules<ImageRequest, ImageAnswer, ImageFacts, ImageRequest> = {
  ...mediaKinds.image,
  // The size of a given image is not known here: it may be a stand-in, or an address.
  input: ({ prompt, references = [], mask }) =>
    textTokens(prompt) + (references.length + (mask === undefined ? 0 : 1)) * UNSEEN.image,
  drive: ({ drivers }) => drivers?.image,
  finish(answer, asked, upstream) {
    // A caller that asks for URLs gets them as they are.
    const wantsUrls = asked.delivery.form === 'url'
    if (wantsUrls || !answer.images.some(isLink)) return answer
    return download(answer, upstream)
  },
  redact: (answer, redact) => ({ ...answer, images: answer.images.map((image) => redactBlocked(image, redact)) }),
  streams: imageStreams,
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
      if (type === undefined)
        throw new DragomanError('upstream', 'The upstream answered with a file that is not an image.')
      return { ...image, source: { kind: 'base64', mime: type, data: LATIN.decode(encodeBase64(bytes)) } }
    }),
  )
  return { ...answer, images }
}

/** Base64 is ASCII. */
const LATIN = new TextDecoder('latin1')
