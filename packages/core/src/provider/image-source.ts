import { DragomanError } from '../ir/error.ts'
import type { Source } from '../ir/part.ts'
import { encodeBytes } from '../lib/base64-bytes.ts'
import { formatDataUrl, imageTypeOf } from '../lib/data-url.ts'
import type { Upstream } from './media.ts'

/** A given image as a URL: its own, or a data URL. */
export function imageUrl(source: Source): string {
  const { kind } = source
  if (kind === 'url') return source.url
  if (kind === 'base64') return formatDataUrl(source)
  throw unreadable()
}

/** A given image as its URL or as its bare base64, for APIs that take both in one member. */
export function imageData(source: Source): string {
  return source.kind === 'base64' ? source.data : imageUrl(source)
}

/** A given image as base64. One that is a URL is downloaded. */
export async function downloadImage(
  source: Source,
  upstream: Pick<Upstream, 'download'>,
): Promise<Extract<Source, { readonly kind: 'base64' }>> {
  if (source.kind === 'base64') return source
  const { bytes, type } = await upstream.download(imageUrl(source))
  const data = encodeBytes(bytes)
  return { kind: 'base64', mime: imageTypeOf(data) ?? type ?? 'image/png', data }
}

function unreadable(): DragomanError {
  return new DragomanError('unsupported', 'The model takes images as data or as a URL, not as a stored file.')
}
