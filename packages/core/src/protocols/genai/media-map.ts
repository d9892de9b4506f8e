import { isObject, stringOf, type JsonObject } from '../../lib/json.ts'
import { kindOfType, noData, wireMedia, type MediaMap, type WireMedia } from '../media-map.ts'

/** A part. The response of a function may contain parts itself. */
const PARTS: MediaMap = {
  members: { parts: { read: readPart, members: { functionResponse: { members: { parts: { read: readPart } } } } } },
}

/** For checked bodies, which have camelCase members: conversations, and requests for vectors. */
export const media: MediaMap = {
  members: { contents: PARTS, systemInstruction: PARTS, content: PARTS, requests: { members: { content: PARTS } } },
}

function readPart({ inlineData, fileData, mediaResolution }: JsonObject): WireMedia | undefined {
  const mime = typeOf(inlineData ?? fileData)
  const detail = isObject(mediaResolution) ? mediaResolution['level'] : mediaResolution
  return (
    wireMedia(kindOfType(mime), inlineData, 'data', (data) => ({ mime, data }), detail) ??
    wireMedia(kindOfType(mime), fileData, 'fileUri', noData, detail)
  )
}

function typeOf(data: JsonObject[string] | undefined): string {
  return isObject(data) ? stringOf(data['mimeType']) : ''
}
