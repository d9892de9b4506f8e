import { isObject, stringOf, type JsonObject } from '../../lib/json.ts'
import { noData, wireMedia, type MediaMap, type WireMedia } from '../media-map.ts'

/** A block. Results of tools and documents contain blocks themselves. */
const BLOCK: MediaMap = {
  read: readBlock,
  get members() {
    return INSIDE
  },
}
const INSIDE: NonNullable<MediaMap['members']> = { content: BLOCK, source: { members: { content: BLOCK } } }

export const media: MediaMap = { members: { messages: { members: { content: BLOCK } } } }

function readBlock({ type, source }: JsonObject): WireMedia | undefined {
  if ((type !== 'image' && type !== 'document') || !isObject(source)) return undefined
  switch (source['type']) {
    case 'base64':
      return wireMedia(type, source, 'data', (data) => ({ mime: stringOf(source['media_type']), data }))
    case 'url':
      return wireMedia(type, source, 'url', noData)
    case 'file':
      return wireMedia(type, source, 'file_id', noData)
    default:
      // A text, or blocks.
      return undefined
  }
}
