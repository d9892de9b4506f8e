import { replaceLinked, type LinkedMedia } from '../ir/linked-media.ts'
import type { Media } from '../ir/part.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Match } from './context.ts'
import { createLocate, type Locate } from './locate.ts'
import type { Codec, FillLinks, Protocol } from './protocol.ts'

/** Media of a request that is named by a URL. */
export interface Link {
  readonly url: string
  readonly kind: Media['kind']
  /** The media type, if the request names it. */
  readonly mime?: string
  /** The member of the body with the URL, as a path: `messages.0.content.1.image_url.url`. */
  readonly param: string
}

/** A file in place of its URL. */
export interface LinkedFile {
  readonly mime: string
  /** Base64 in the standard alphabet, padded. */
  readonly data: string
}

/** Returns the file of a link, or undefined if the link stays. */
export type FindFile = (link: Link) => LinkedFile | undefined

/** What decides which links an upstream opens. */
export interface LinkOptions {
  /** Whether the upstream opens URLs of media, from its card; by default as its protocol says. */
  readonly urls?: boolean | undefined
  /** The values in the path of the call. */
  readonly match?: Pick<Match, 'model' | 'stream'> | undefined
}

/** The links of a request whose bytes its upstream wants. Nothing is downloaded here. */
export function findLinks(
  caller: Codec,
  upstream: Protocol,
  body: JsonObject,
  { urls, match }: LinkOptions = {},
): readonly Link[] {
  const links: Link[] = []
  const request = caller.request.decode(body, { issuer: caller.issuer, path: match })
  const note: FindFile = (link) => {
    links.push(link)
    return undefined
  }
  fillLinks(upstream, urls, note)(request, caller, body)
  return links
}

/** Puts files in place of the links whose bytes the upstream wants. `urls` is that of its card: see `LinkOptions`. */
export function fillLinks(upstream: Protocol, urls: boolean | undefined, find: FindFile): FillLinks {
  const { takesLinked } = upstream
  return (request, caller, body) => {
    if (takesLinked === undefined) return request
    // A request in the upstream's own protocol was written for what the upstream opens.
    const opens = urls ?? (caller.name === upstream.name ? true : undefined)
    const { sites, history } = caller.request
    const locate: Locate = sites === undefined ? () => [history] : createLocate(sites, body)
    return replaceLinked(request, (media, path) => {
      if (takesLinked(media, opens) !== 'bytes') return undefined
      const file = find(linkOf(media, locate([...path, 'source'], 'changed').join('.')))
      return file === undefined ? undefined : { ...media, source: { kind: 'base64', ...file } }
    })
  }
}

function linkOf({ kind, source: { url, mime } }: LinkedMedia, param: string): Link {
  return mime === undefined ? { url, kind, param } : { url, kind, mime, param }
}
