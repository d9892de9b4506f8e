import { parseDataUrl, parseFileData } from '../../lib/data-url.ts'
import { isObject, stringOf, type JsonObject } from '../../lib/json.ts'
import { noData, wireMedia, type MediaMap, type WireMedia } from '../media-map.ts'

const PART: MediaMap = { read: readPart }

/** The parts of messages, and the images of earlier answers. */
export const media: MediaMap = { members: { messages: { members: { content: PART, images: PART } } } }

function readPart({ type, image_url, input_audio, file }: JsonObject): WireMedia | undefined {
  switch (type) {
    case 'image_url':
      return wireMedia('image', image_url, 'url', parseDataUrl, isObject(image_url) ? image_url['detail'] : undefined)
    case 'input_audio': {
      const format = isObject(input_audio) ? stringOf(input_audio['format']) : ''
      return wireMedia('audio', input_audio, 'data', (data) => ({ mime: `audio/${format}`, data }))
    }
    case 'file':
      return wireMedia('document', file, 'file_data', parseFileData) ?? wireMedia('document', file, 'file_id', noData)
    default:
      return undefined
  }
}
