import { keep, known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import { reportUnsaid } from '../../ir/unsaid.ts'
import type { Media, Part, Source } from '../../ir/part.ts'
import { decodeBase64, standardBase64 } from '../../lib/base64.ts'
import { defined } from '../../lib/defined.ts'
import { MARK, takeCache } from '../cache-control.ts'
import type { EncodeContext } from '../protocol.ts'
import { mark } from './cache.ts'
import { ISSUER, NAME, type Block, type BlockOf, type WireSource } from './schema.ts'

/** Parts inside a part, which only `content.ts` knows how to read and write. */
export type DecodeInner = (content: string | readonly Block[] | null | undefined) => Part[]
export type EncodeInner = (member: string | undefined, parts: readonly Part[], context: EncodeContext) => Block[]

export function decodeMedia(block: BlockOf<'image' | 'document'>, inner: DecodeInner): Media {
  const { type: kind, source, cache_control } = block
  const { title, context, citations } = block as Partial<BlockOf<'document'>> // an image may hold them all the same
  const media = defined({
    type: 'media' as const,
    kind,
    source: decodeSource(source, inner),
    title,
    context,
    cite: citations?.enabled,
  })
  return keep(takeCache(media, cache_control), NAME, unknownOf(block, KNOWN_OF[source.type]))
}

const knownBlock = (source: string): Known =>
  known('type title context', { ...MARK, citations: known('enabled'), source: known(source) })

/** By the kind of source. */
const KNOWN_OF: { readonly [Type in WireSource['type']]: Known } = {
  base64: knownBlock('type media_type data'),
  text: knownBlock('type media_type data'),
  url: knownBlock('type url'),
  file: knownBlock('type file_id'),
  content: knownBlock('type content'),
}

function decodeSource(wire: WireSource, inner: DecodeInner): Source {
  switch (wire.type) {
    case 'base64':
      return { kind: 'base64', mime: wire.media_type, data: standardBase64(wire.data) }
    case 'url':
      return { kind: 'url', url: wire.url }
    case 'file':
      return { kind: 'file', issuer: ISSUER, id: wire.file_id }
    case 'text':
      return { kind: 'text', text: wire.data }
    case 'content':
      return { kind: 'parts', parts: inner(wire.content as string | Block[]) } // checked all the way down
    default:
      wire satisfies never
      throw new TypeError('unknown source')
  }
}

/** Undefined, and reported, when messages has no place for it. The losses stand at the part. */
export function encodeMedia(part: Media, context: EncodeContext, inner: EncodeInner): Block | undefined {
  const { losses } = context
  const { kind: type, title, context: about, cite } = part
  const source = type === 'image' || type === 'document' ? encodeSource(part, context, inner) : undefined
  if (source === undefined) {
    losses.dropped([], `messages takes no ${type} of this form`)
    return undefined
  }
  reportUnsaid(part, ['detail', 'clip', 'transcript'], 'messages media', losses)
  const image = type === 'image'
  if (image) reportUnsaid(part, ['title', 'context', 'cite'], 'a messages image', losses)
  const citations = cite === undefined ? undefined : { enabled: cite }
  const wire = image ? { type, source } : defined({ type, source, title, context: about, citations })
  return restore(NAME, part, mark(wire as BlockOf<'image' | 'document'>, part, context)) // encodeSource fits the type
}

const TEXT_TYPE = /^text\/plain(;|$)/i
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function encodeSource(part: Media, context: EncodeContext, inner: EncodeInner): object | undefined {
  const { source, kind } = part
  switch (source.kind) {
    case 'base64': {
      if (kind === 'document' && TEXT_TYPE.test(source.mime)) return textSource(source.data, context)
      const fits = kind === 'image' ? IMAGE_TYPES.has(source.mime) : source.mime === 'application/pdf'
      return fits ? { type: 'base64', media_type: source.mime, data: source.data } : undefined
    }
    case 'url':
      reportUnsaid(source, ['mime'], 'a messages URL', context.losses, ['source'])
      return { type: 'url', url: source.url }
    case 'file':
      if (source.issuer !== ISSUER) return undefined
      reportUnsaid(source, ['mime'], 'a messages file', context.losses, ['source'])
      return { type: 'file', file_id: source.id }
    case 'text':
      return kind === 'document' ? { type: 'text', media_type: 'text/plain', data: source.text } : undefined
    case 'parts': {
      const content = kind === 'document' ? inner('source', source.parts, context) : []
      return content.length === 0 ? undefined : { type: 'content', content }
    }
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

/** What may stand inside a tool result, a document or a search result. */
export function nestable(part: Part): boolean {
  return part.type === 'text' || part.type === 'search-hit' || part.type === 'media'
}
