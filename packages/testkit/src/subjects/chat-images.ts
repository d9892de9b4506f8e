import type { Json, JsonObject } from '@dragoman/core'
import type { ImageAnswer, MediaCall } from '@dragoman/core/media'
import { acceptImageAnswer, acceptImageStream } from '../doubles/images-answer.ts'
import { acceptFormEdit, acceptGeneration, acceptJsonEdit } from '../doubles/images-request.ts'
import { textOf } from '../generators/wire.ts'
import { chatImageAnswer, chatImageCall, chatImageStream } from '../generators/wire-chat-images.ts'
import type { ImageSubject } from '../laws/image-subject.ts'
import { standard } from './base64.ts'

/** The subject of the images of the chat protocol. */
export const chatImages: ImageSubject = {
  wires: { request: chatImageCall(), answer: chatImageAnswer(), stream: chatImageStream() },
  canon: { request: canonCall, answer: (wire) => wire },
  dialects: [undefined, { edits: 'json' }, { responseFormat: true }],
  alike,
  accepts: {
    request: acceptCall,
    answer: acceptImageAnswer,
    stream: (text, operation) => acceptImageStream(text, operation === 'image' ? 'image_generation' : 'image_edit'),
  },
  shapes: {
    request: {
      images: (size) => ({
        operation: 'image-edit',
        body: { ...ASKED, images: Array.from({ length: size }, () => ({ image_url: DATA, x_more: 1 })) },
      }),
      data: (size) => ({ operation: 'image-edit', body: { ...ASKED, image: DATA + 'AAAA'.repeat(size * 500) } }),
      'unknown members': (size) => ({ operation: 'image', body: { ...ASKED, ...unknown(size) } }),
    },
    answer: {
      images: (size) => ({ created: 1, data: Array.from({ length: size }, () => ({ b64_json: 'AAAA', x_more: 1 })) }),
      'unknown members': (size) => ({ created: 1, data: [{ b64_json: 'AAAA', ...unknown(size) }], ...unknown(size) }),
    },
    stream: {
      images: (size) =>
        Array.from(
          { length: size },
          () => `data: {"type":"image_generation.completed","b64_json":"AAAA","x_more":1}\n\n`,
        ),
      data: (size) => [`data: {"type":"image_generation.completed","b64_json":"${'AAAA'.repeat(size * 100)}"}\n\n`],
    },
  },
}

const ASKED = { model: 'some/model', prompt: 'a boat' }
const DATA = 'data:image/png;base64,AAAA'

function unknown(size: number): JsonObject {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => [`x_${index}`, index]))
}

/** Events have the look of every image, and nothing that only entries of a list have. */
function alike(answer: ImageAnswer): ImageAnswer {
  const source = { kind: 'base64', mime: 'image/png', data: 'iVBORw0KGgo=' } as const
  const images = answer.images.map((image) => ({
    source: image.source?.kind === 'url' ? ({ kind: 'url', url: image.source.url } as const) : source,
  }))
  return { created: 1, size: 'auto', quality: 'auto', background: 'auto', format: 'image/png', ...answer, images }
}

function acceptCall({ operation, body }: MediaCall): void {
  if (operation === 'image') return acceptGeneration(body)
  if (operation === 'image-edit-json') return acceptJsonEdit(body)
  const { image, mask, ...text } = body
  const typeOf = (url: Json): string => /^data:([^;,]+);base64,./.exec(textOf(url))?.[1] ?? 'none'
  const images = [image ?? []].flat().map(typeOf)
  const masks = mask === undefined ? {} : { mask: ['image/png'] } // its type is the caller's
  acceptFormEdit(text, { [images.length === 1 ? 'image' : 'image[]']: images, ...masks })
}

/**
 * Alternative spellings of a request:
 * - null is absent, and so are the preferences about routes and `response_format: b64_json`;
 * - user is safety_identifier, if that is absent or empty;
 * - all images are data URLs in `image`, if they are inline and have no further members; otherwise objects in `images`;
 * - inline data is in the standard alphabet, padded, and image/jpg is image/jpeg.
 */
function canonCall({ operation, body }: MediaCall): MediaCall {
  const { provider: _routes, response_format: _default, image, images, mask, ...rest } = withoutNull(body)
  const members = withUser(rest)
  if (operation === 'image') return { operation, body: members }
  const given = [image ?? [], images ?? []].flat().map(canonImage)
  const masked = mask === undefined ? undefined : canonImage(mask)
  const isForm = [...given, ...(masked === undefined ? [] : [masked])].every(isFile)
  if (!isForm) {
    const wire = { ...members, images: given, ...(masked === undefined ? {} : { mask: masked }) }
    return { operation: 'image-edit-json', body: wire }
  }
  const urlOf = (value: JsonObject): Json => value['image_url'] ?? ''
  const wire = { ...members, image: given.map(urlOf), ...(masked === undefined ? {} : { mask: urlOf(masked) }) }
  return { operation: 'image-edit', body: wire }
}

function withUser(wire: JsonObject): JsonObject {
  const { user, safety_identifier, ...rest } = wire
  if (safety_identifier !== undefined && safety_identifier !== '') return wire
  return user === undefined ? wire : { ...rest, safety_identifier: user }
}

function canonImage(image: Json): JsonObject {
  if (typeof image === 'string') return { image_url: standardUrl(image) }
  const { image_url, url, type: _type, ...rest } = image as JsonObject // an image is a text or an object
  const address = typeof image_url === 'object' ? (image_url as JsonObject)['url'] : (image_url ?? url) // an object with a URL
  return address === undefined ? rest : { ...rest, image_url: standardUrl(textOf(address)) }
}

function standardUrl(url: string): string {
  const [, type = '', data] = /^data:([^;]*);base64,(.*)$/s.exec(url) ?? []
  return data === undefined ? url : `data:${type === 'image/jpg' ? 'image/jpeg' : type};base64,${standard(data)}`
}

function isFile(image: JsonObject): boolean {
  const { image_url, ...others } = image
  return Object.keys(others).length === 0 && textOf(image_url).startsWith('data:')
}

function withoutNull(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => value !== null || key.startsWith('x_')))
}
