import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Media, Part, Source } from '../../ir/part.ts'
import { decodeBase64 } from '../../lib/base64.ts'
import type { EncodeContext } from '../protocol.ts'
import { decodeCache, encodeCache } from './cache.ts'
import { ISSUER, NAME, type Block, type BlockOf, type WireSource } from './schema.ts'

/** Parts inside a part, which only `content.ts` knows how to read and write. */
export type DecodeInner = (content: string | readonly Block[] | null | undefined) => Part[]
export type EncodeInner = (member: string | undefined, parts: readonly Part[], context: EncodeContext) => Block[]

export function decodeMedia(block: BlockOf<'image' | 'document'>, inner: DecodeInner): Media {
  const kind = block.type
  const { type, source, cache_control, ...other } = block
  const { title, context: about, citations, ...rest } = other as Partial<BlockOf<'document'>> // an image may hold them as leftovers
  const cache = decodeCache(cache_control)
  const { enabled: cite, ...citationsRest } = citations ?? {}
  let left: object = nest(rest, 'cache_control', cache.rest)
  left = nest(left, 'citations', citationsRest)
  const { source: decoded, rest: sourceRest } = decodeSource(source, inner)
  left = nest(left, 'source', sourceRest)
  return {
    type: 'media',
    kind,
    source: decoded,
    ...(title == null ? {} : { title }),
    ...(about == null ? {} : { context: about }),
    ...(cite === undefined ? {} : { cite }),
    ...cache.mark,
    ...leftover(NAME, left),
  }
}

function decodeSource(wire: WireSource, inner: DecodeInner): { readonly source: Source; readonly rest: object } {
  switch (wire.type) {
    case 'base64': {
      const { type, media_type, data, ...rest } = wire
      return { source: { kind: 'base64', mime: media_type, data }, rest }
    }
    case 'url': {
      const { type, url, ...rest } = wire
      return { source: { kind: 'url', url }, rest }
    }
    case 'file': {
      const { type, file_id, ...rest } = wire
      return { source: { kind: 'file', issuer: ISSUER, id: file_id }, rest }
    }
    case 'text': {
      const { type, media_type, data, ...rest } = wire
      return { source: { kind: 'text', text: data }, rest }
    }
    case 'content': {
      const { type, content, ...rest } = wire
      return { source: { kind: 'parts', parts: inner(content as string | Block[]) }, rest } // checked all the way down
    }
    default:
      wire satisfies never
      throw new TypeError('unknown source')
  }
}

/** Undefined, and reported, when messages has no place for it. The losses stand at the part. */
export function encodeMedia(part: Media, context: EncodeContext, inner: EncodeInner): Block | undefined {
  const { losses } = context
  const source = part.kind === 'image' || part.kind === 'document' ? encodeSource(part, context, inner) : undefined
  if (source === undefined) {
    losses.dropped([], `messages takes no ${part.kind} of this form`)
    return undefined
  }
  for (const member of ['detail', 'clip', 'transcript'] as const) {
    if (part[member] !== undefined) losses.dropped([member], `messages media has no ${member}`)
  }
  if (part.kind === 'image') {
    for (const member of ['title', 'context', 'cite'] as const) {
      if (part[member] !== undefined) losses.dropped([member], `messages images have no ${member}`)
    }
    return restore(NAME, part, { type: 'image', source, ...encodeCache(part, context) } as BlockOf<'image'>) // encodeSource gave an image source
  }
  const wire = {
    type: 'document',
    source,
    ...(part.title === undefined ? {} : { title: part.title }),
    ...(part.context === undefined ? {} : { context: part.context }),
    ...(part.cite === undefined ? {} : { citations: { enabled: part.cite } }),
    ...encodeCache(part, context),
  } as BlockOf<'document'> // encodeSource gave a document source
  return restore(NAME, part, wire)
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
const TEXT_TYPE = /^text\/plain(;|$)/i

function encodeSource(part: Media, context: EncodeContext, inner: EncodeInner): object | undefined {
  const { source, kind } = part
  switch (source.kind) {
    case 'base64': {
      if (kind === 'document' && TEXT_TYPE.test(source.mime)) return textSource(source.data, context)
      const fits = kind === 'image' ? IMAGE_TYPES.has(source.mime) : source.mime === 'application/pdf'
      return fits ? { type: 'base64', media_type: source.mime, data: source.data } : undefined
    }
    case 'url':
      if (source.mime !== undefined) context.losses.dropped(['source', 'mime'], 'messages URLs have no media type')
      return { type: 'url', url: source.url }
    case 'file':
      if (source.issuer !== ISSUER) return undefined
      if (source.mime !== undefined) context.losses.dropped(['source', 'mime'], 'messages files have no media type')
      return { type: 'file', file_id: source.id }
    case 'text':
      return kind === 'document' ? { type: 'text', media_type: 'text/plain', data: source.text } : undefined
    case 'parts':
      if (kind !== 'document') return undefined
      return contentSource(inner('source', source.parts, context))
    default:
      return source satisfies never
  }
}

/** A text that came as a file is a document of its words. */
function textSource(data: string, { losses }: EncodeContext): object | undefined {
  const text = decodeBase64(data)
  if (text === undefined || text === '') return undefined
  losses.changed(['source'], { kind: 'text', text }, 'messages takes texts as they are')
  return { type: 'text', media_type: 'text/plain', data: text }
}

function contentSource(content: readonly Block[]): object | undefined {
  return content.length === 0 ? undefined : { type: 'content', content }
}

/** What may stand inside a tool result, a document or a search result. */
export function nestable(part: Part): boolean {
  return part.type === 'text' || part.type === 'search-hit' || part.type === 'media'
}
