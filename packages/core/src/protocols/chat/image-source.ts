import { keep, known, restore, unknownOf, type Node } from '../../ir/extras.ts'
import type { ReferenceImage } from '../../ir/image.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Source } from '../../ir/part.ts'
import { standardBase64 } from '../../lib/base64.ts'
import { formatDataUrl, parseDataUrl } from '../../lib/data-url.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { imageObject, type WireImageSource } from './image-schema.ts'
import { NAME } from './schema.ts'

const IMAGE = known(imageObject, { inside: { image_url: new Map([['url', null]]) } })

/** A given image or a mask: a URL, a data URL, or an object with one or with the id of a file. */
export function decodeImageSource(wire: WireImageSource, context: DecodeContext): ReferenceImage {
  if (typeof wire === 'string') return { source: decodeSource(wire) }
  const { image_url, url, file_id } = wire
  const source: Source =
    file_id === undefined
      ? decodeSource(typeof image_url === 'object' ? image_url.url : (image_url ?? url ?? ''))
      : { kind: 'file', issuer: context.issuer, id: file_id }
  return keep({ source }, NAME, unknownOf(wire, IMAGE))
}

function decodeSource(url: string): Source {
  const inline = parseDataUrl(url)
  if (inline === undefined) return { kind: 'url', url }
  return { kind: 'base64', mime: standardType(inline.mime), data: standardBase64(inline.data) }
}

function standardType(mime: string): string {
  const lower = mime.toLowerCase()
  return lower === 'image/jpg' ? 'image/jpeg' : lower
}

/** How an upstream takes images in JSON: as OpenAI, or with the members of a content part of chat. */
export type ImageSourceForm = 'image_url' | 'url'

/** Undefined, and reported, if it cannot be written. */
export function encodeImageSource(
  source: Source,
  node: Node,
  form: ImageSourceForm,
  losses: Losses,
  { issuer }: Encoding,
): JsonObject | undefined {
  if (source.kind === 'base64') return encodeUrl(node, formatDataUrl(source), form)
  if (source.kind === 'url') {
    if (source.mime !== undefined) losses.dropped(['source', 'mime'], 'a URL of chat has no type')
    return encodeUrl(node, source.url, form)
  }
  if (source.kind === 'file' && source.issuer === issuer) {
    if (source.mime !== undefined) losses.dropped(['source', 'mime'], 'a file of chat has no type')
    return restore(NAME, node, { file_id: source.id })
  }
  losses.dropped([], source.kind === 'file' ? 'a file of another upstream' : 'chat has no such image')
  return undefined
}

function encodeUrl(node: Node, url: string, form: ImageSourceForm): JsonObject {
  const wire: JsonObject = form === 'url' ? { type: 'image_url', url } : { image_url: url }
  return restore(NAME, node, wire)
}
