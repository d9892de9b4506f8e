import { known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import type { LinkedMedia } from '../../ir/linked-media.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Media, Part, Source } from '../../ir/part.ts'
import { decodeBase64, standardBase64 } from '../../lib/base64.ts'
import { isUrl } from '../../lib/data-url.ts'
import { defined } from '../../lib/members.ts'
import { keepMarked } from '../cache-control.ts'
import { reportUnsupported, WHOLE } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import type { LinkForm } from '../protocol.ts'
import { mark } from './cache.ts'
import { TABLES } from './members.ts'
import {
  contentSource,
  documentBlock,
  fileSource,
  imageData,
  ISSUER,
  NAME,
  textSource as wireText,
  urlSource,
  type Block,
  type BlockOf,
  type WireSource,
} from './schema.ts'

/** Parts inside a part; read and written by `content.ts`. */
export type DecodeInner = (content: string | readonly Block[] | null | undefined) => Part[]
export type EncodeInner = (parts: readonly Part[], losses: Losses, context: Encoding) => Block[]

/** Undefined if its source, or the media type of its text, is of an unknown kind, or its data is a URL. */
export function decodeMedia(block: BlockOf<'image' | 'document'>, inner: DecodeInner): Media | undefined {
  const { type: kind, source } = block
  const from = decodeSource(source, inner)
  if (from === undefined) return undefined
  const { title, context, citations } = block as Partial<BlockOf<'document'>> // an image may have them too
  const media = defined({
    type: 'media' as const,
    kind,
    source: from,
    title,
    context,
    cite: citations?.enabled,
  })
  return keepMarked(media, NAME, block, unknownOf(block, KNOWN_OF[source.type]))
}

const knownBlock = (source: Known): Known => known(documentBlock, { inside: { source } })

/** By the kind of source. */
const KNOWN_OF: { readonly [Type in WireSource['type']]: Known } = {
  base64: knownBlock(known(imageData)),
  text: knownBlock(known(wireText)),
  url: knownBlock(known(urlSource)),
  file: knownBlock(known(fileSource)),
  content: knownBlock(known(contentSource)),
}

const PLAIN_TEXT = 'text/plain'

function decodeSource(wire: WireSource, inner: DecodeInner): Source | undefined {
  switch (wire.type) {
    case 'base64':
      return isUrl(wire.data) ? undefined : { kind: 'base64', mime: wire.media_type, data: standardBase64(wire.data) }
    case 'url':
      return { kind: 'url', url: wire.url }
    case 'file':
      return { kind: 'file', issuer: ISSUER, id: wire.file_id }
    case 'text':
      return (wire.media_type ?? PLAIN_TEXT) === PLAIN_TEXT ? { kind: 'text', text: wire.data } : undefined
    case 'content':
      return { kind: 'parts', parts: inner(wire.content as string | Block[]) } // checked all the way down
    default:
      wire satisfies never
      return undefined
  }
}

/** Undefined and reported if messages has no equivalent. */
export function encodeMedia(part: Media, losses: Losses, context: Encoding, inner: EncodeInner): Block | undefined {
  const { kind: type, title, context: about, cite } = part
  const table = TABLES.media[type]
  const source = table === WHOLE ? undefined : encodeSource(part, losses.at('source'), context, inner)
  if (source === undefined || table === WHOLE) {
    losses.dropped([], `messages takes no ${type} of this form`)
    return undefined
  }
  reportUnsupported(part, table, losses, context)
  const citations = cite === undefined ? undefined : { enabled: cite }
  const wire = type === 'image' ? { type, source } : defined({ type, source, title, context: about, citations })
  return restore(NAME, part, mark(wire as BlockOf<'image' | 'document'>, part, losses, context)) // encodeSource fits the type
}

const TEXT_TYPE = /^(text\/|application\/json(;|$))/i
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function encodeSource(part: Media, losses: Losses, context: Encoding, inner: EncodeInner): object | undefined {
  const { source, kind } = part
  switch (source.kind) {
    case 'base64': {
      const own = context.caller === NAME // its callers know more types than the protocol lists
      if (!own && kind === 'document' && TEXT_TYPE.test(source.mime)) return textSource(source.data, losses)
      const fits = own || (kind === 'image' ? IMAGE_TYPES.has(source.mime) : source.mime === 'application/pdf')
      return fits ? { type: 'base64', media_type: source.mime, data: source.data } : undefined
    }
    case 'url':
      reportUnsupported(source, TABLES.source.url, losses, context)
      return { type: 'url', url: source.url }
    case 'file':
      if (source.issuer !== ISSUER) return undefined
      reportUnsupported(source, TABLES.source.file, losses, context)
      return { type: 'file', file_id: source.id }
    case 'text':
      return kind === 'document' ? { type: 'text', media_type: PLAIN_TEXT, data: source.text } : undefined
    case 'parts': {
      const content = kind === 'document' ? inner(source.parts, losses, context) : []
      return content.length === 0 ? undefined : { type: 'content', content }
    }
    default:
      return source satisfies never
  }
}

/** A text file becomes a document with its text. */
function textSource(data: string, losses: Losses): object | undefined {
  const text = decodeBase64(data)
  if (text === undefined || text === '') return undefined
  losses.changed([], { kind: 'text', text }, 'messages takes texts as they are')
  return { type: 'text', media_type: PLAIN_TEXT, data: text }
}

/** Upstreams open images and PDFs. Texts become documents with their text. */
export function takesLinked({ kind, source: { mime } }: LinkedMedia, opens: boolean | undefined): LinkForm {
  if (kind !== 'image' && kind !== 'document') return 'none'
  if (opens === false || (kind === 'document' && opens === undefined && mime !== undefined && TEXT_TYPE.test(mime)))
    return 'bytes'
  return 'url'
}

/** Parts that are allowed inside a tool result, a document or a search result. */
export function nestable(part: Part): boolean {
  const { type } = part
  return type === 'text' || type === 'search-hit' || type === 'media' || (type === 'opaque' && part.protocol === NAME)
}
