import { parseDataUrl, parseFileData } from '../../lib/data-url.ts'
import { isObject, stringOf, type JsonObject } from '../../lib/json.ts'
import { noData, wireMedia, type MediaMap, type WireMedia } from '../media-map.ts'

const PART: MediaMap = { read: readPart }

/** The parts of messages and of results, images that earlier answers have drawn, and those of code that has run. */
export const media: MediaMap = {
  members: { input: { read: readItem, members: { content: PART, output: PART, outputs: PART } } },
}

function readItem(item: JsonObject): WireMedia | undefined {
  if (item['type'] !== 'image_generation_call') return undefined
  return wireMedia('image', item, 'result', (data) => ({
    mime: `image/${stringOf(item['output_format'] ?? 'png')}`,
    data,
  }))
}

function readPart(part: JsonObject): WireMedia | undefined {
  const { type, detail, input_audio } = part
  switch (type) {
    case 'input_image':
    case 'computer_screenshot':
      return wireMedia('image', part, 'image_url', parseDataUrl, detail) ?? wireMedia('image', part, 'file_id', noData)
    case 'image':
      return wireMedia('image', part, 'url', parseDataUrl)
    case 'input_audio': {
      const format = isObject(input_audio) ? stringOf(input_audio['format']) : ''
      return wireMedia('audio', input_audio, 'data', (data) => ({ mime: `audio/${format}`, data }))
    }
    case 'input_file':
      return (
        wireMedia('document', part, 'file_data', parseFileData) ??
        wireMedia('document', part, 'file_url', parseDataUrl) ??
        wireMedia('document', part, 'file_id', noData)
      )
    default:
      return undefined
  }
}
