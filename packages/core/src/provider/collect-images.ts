import { DragomanError } from '../ir/error.ts'
import type { DrawnImage, ImageRequest } from '../ir/image.ts'
import type { Source } from '../ir/part.ts'
import { imageTypeOf } from '../lib/data-url.ts'
import { isObject, optionalString, type JsonObject } from '../lib/json.ts'
import { readPath, valueAt } from '../lib/json-path.ts'
import type { Upstream } from './media.ts'
import { downloadImage } from './image-source.ts'

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
