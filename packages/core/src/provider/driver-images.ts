import { DragomanError } from '../ir/error.ts'
import type { Source } from '../ir/part.ts'
import { encodeBytes } from '../lib/base64-bytes.ts'
import { formatDataUrl, imageTypeOf } from '../lib/data-url.ts'
import type { DrawnImage, ImageRequest } from '../ir/image.ts'
import { isObject, optionalString, type JsonObject } from '../lib/json.ts'
import { readPath, valueAt } from '../lib/json-path.ts'
import type { Upstream } from './media.ts'

/** A given image as a URL: its own, or a data URL. */
export function imageUrl(source: Source): string {
  const { kind } = source
  if (kind === 'url') return source.url
  if (kind === 'base64') return formatDataUrl(source)
  throw unreadable()
}

/** A given image as its URL or as its base64 without a prefix, for APIs that take both in one member. */
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

/** Where an answer has its images, as paths. */
export interface ImageResults {
  /** The list of images, or the only one. */
  readonly list: string
  /** The address of an image, and its base64, inside its entry. */
  readonly url?: string
  readonly base64?: string
  /** The refined prompt. */
  readonly prompt?: string
  /** Why moderation has blocked an image; undefined if it has not. */
  readonly blocked?: (entry: JsonObject) => string | undefined
}

/** The images of an answer. Those that it has as URLs are downloaded unless the caller wants URLs, because the URLs expire. */
export function collectImages(
  results: ImageResults,
  body: JsonObject,
  { delivery }: Pick<ImageRequest, 'delivery'>,
  upstream: Pick<Upstream, 'download'>,
): Promise<readonly DrawnImage[]> {
  const entries = entriesOf(body, results.list)
  if (entries.length === 0) throw new DragomanError('upstream', 'The answer of the upstream has no images.')
  const download = async (url: string): Promise<Source> =>
    delivery.form === 'url' ? { kind: 'url', url } : downloadImage({ kind: 'url', url }, upstream)
  return Promise.all(
    entries.map(async (entry) => {
      const blocked = results.blocked?.(entry)
      if (blocked !== undefined) return { blocked }
      const prompt = textAt(entry, results.prompt)
      const data = textAt(entry, results.base64)
      const url = textAt(entry, results.url)
      if (data === undefined && url === undefined)
        throw new DragomanError('upstream', 'The upstream has answered without an image.')
      const source: Source =
        data === undefined
          ? await download(url ?? '')
          : { kind: 'base64', mime: imageTypeOf(data) ?? DEFAULT_TYPE, data }
      return { source, ...(prompt === undefined ? {} : { prompt }) }
    }),
  )
}

const DEFAULT_TYPE = 'image/png'

/** The entries of a list, or the only one. */
export function entriesOf(body: JsonObject, path: string): readonly JsonObject[] {
  return [valueAt(body, readPath(path)) ?? []].flat().filter(isObject)
}

function textAt(entry: JsonObject, path: string | undefined): string | undefined {
  const text = path === undefined ? undefined : optionalString(valueAt(entry, readPath(path)))
  return text === '' ? undefined : text
}
