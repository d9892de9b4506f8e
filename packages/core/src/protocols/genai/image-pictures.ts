import { keepExtras, keptWord, nest, restore } from '../../ir/extras.ts'
import type { ImageMask, ImageRequest, ReferenceImage } from '../../ir/image.ts'
import type { Losses, Path } from '../../ir/loss.ts'
import type { Source } from '../../ir/part.ts'
import { standardBase64 } from '../../lib/base64.ts'
import { pictureType } from '../../lib/picture-type.ts'
import { defined } from '../../lib/defined.ts'
import { optionalString, stringOf } from '../../lib/json.ts'
import { isMask, USER_PROVIDED } from './image-check.ts'
import type { WireInstance, WirePicture, WireReference } from './image-schema.ts'
import { sourceOf } from './media.ts'
import { ISSUER, NAME } from './schema.ts'

type Pictures = Pick<ImageRequest, 'references' | 'mask'>
type WirePictures = Pick<WireInstance, 'image' | 'referenceImages'>

const ROLE_OF: ReadonlyMap<string, NonNullable<ReferenceImage['role']>> = new Map([
  ['REFERENCE_TYPE_STYLE', 'style'],
  ['REFERENCE_TYPE_SUBJECT', 'subject'],
  ['REFERENCE_TYPE_CONTROL', 'control'],
  ['REFERENCE_TYPE_CONTENT', 'content'],
])
const TYPE_OF = {
  style: 'REFERENCE_TYPE_STYLE',
  subject: 'REFERENCE_TYPE_SUBJECT',
  control: 'REFERENCE_TYPE_CONTROL',
  content: 'REFERENCE_TYPE_CONTENT',
} as const
const RAW = 'REFERENCE_TYPE_RAW'

/** `image` is the first picture; only it has no id. */
export function decodePictures({ image, referenceImages = [] }: WirePictures): Pictures {
  const wireMask = referenceImages.find(isMask)
  const references = referenceImages.filter((reference) => reference !== wireMask).map(decodeReference)
  if (image !== undefined) {
    const { source, rest } = decodePicture(image)
    references.unshift({ source, ...keepExtras(NAME, rest) })
  }
  return defined({
    references: references.length === 0 ? undefined : references,
    mask: wireMask === undefined ? undefined : decodeMask(wireMask),
  })
}

function decodeReference({
  referenceType,
  referenceId: id,
  referenceImage = {},
  ...others
}: WireReference): ReferenceImage {
  const role = ROLE_OF.get(referenceType)
  const { source, rest } = decodePicture(referenceImage)
  const word = role === undefined && referenceType !== RAW ? { referenceType } : {}
  const left = nest({ ...word, ...others }, 'referenceImage', rest)
  return { source, id, ...(role === undefined ? undefined : { role }), ...keepExtras(NAME, left) }
}

function decodeMask(wire: WireReference): ImageMask {
  const { referenceType: _mask, referenceId: id, referenceImage, maskImageConfig = {}, ...others } = wire
  const { maskMode, ...config } = maskImageConfig
  const { source, rest } = referenceImage === undefined ? {} : decodePicture(referenceImage)
  const left = nest(nest(others, 'maskImageConfig', config), 'referenceImage', rest)
  const mode = maskMode === USER_PROVIDED ? undefined : maskMode
  return { ...defined({ source, mode }), id, ...keepExtras(NAME, left) }
}

export function decodePicture({ bytesBase64Encoded, gcsUri, mimeType, ...rest }: WirePicture): {
  readonly source: Source
  readonly rest: object
} {
  const mime = optionalString(mimeType)
  if (stringOf(bytesBase64Encoded) === '') return { source: sourceOf(stringOf(gcsUri), mime), rest }
  const data = standardBase64(stringOf(bytesBase64Encoded))
  return { source: { kind: 'base64', mime: mime ?? pictureType(data), data }, rest }
}

/** One picture without an id is `image`. Otherwise all are references, and get ids. */
export function encodePictures({ references = [], mask }: ImageRequest, losses: Losses): WirePictures {
  const [first, ...others] = references
  const isPlain = first !== undefined && first.id === undefined && first.role === undefined
  const named = [...others, ...(mask === undefined ? [] : [mask])]
  const asImage = isPlain && named.every(({ id }) => id !== undefined) ? first : undefined
  const nextId = createIds([...references, ...named])
  const image = asImage && encodePicture(asImage.source, losses.at('references', 0))
  const referenceImages: WireReference[] = []
  for (const [index, reference] of references.entries()) {
    if (reference === asImage) continue
    const wire = encodeReference(reference, nextId, losses.at('references', index))
    if (wire !== undefined) referenceImages.push(wire)
  }
  const wireMask = mask && encodeMask(mask, nextId, losses.at('mask'))
  if (wireMask !== undefined) referenceImages.push(wireMask)
  return defined({
    image: image && asImage && restore(NAME, asImage, image),
    referenceImages: referenceImages.length === 0 ? undefined : referenceImages,
  })
}

/** Ids that no picture has yet. */
function createIds(pictures: readonly { readonly id?: number }[]): () => number {
  const used = new Set(pictures.map(({ id }) => id))
  let last = 0
  return () => {
    do last++
    while (used.has(last))
    return last
  }
}

function encodeReference(reference: ReferenceImage, nextId: () => number, losses: Losses): WireReference | undefined {
  const { role } = reference
  const referenceImage = encodePicture(reference.source, losses)
  if (referenceImage === undefined) return undefined
  const referenceType = role === undefined ? (keptWord(reference, NAME, 'referenceType') ?? RAW) : TYPE_OF[role]
  return restore(NAME, reference, { referenceType, referenceId: idOf(reference, nextId, losses), referenceImage })
}

function encodeMask(mask: ImageMask, nextId: () => number, losses: Losses): WireReference | undefined {
  const referenceImage = mask.source && encodePicture(mask.source, losses)
  if (mask.source !== undefined && referenceImage === undefined) return undefined
  return restore(NAME, mask, {
    referenceType: 'REFERENCE_TYPE_MASK',
    referenceId: idOf(mask, nextId, losses),
    ...(referenceImage === undefined ? undefined : { referenceImage }),
    maskImageConfig: { maskMode: mask.mode ?? USER_PROVIDED },
  })
}

function idOf({ id }: { readonly id?: number }, nextId: () => number, losses: Losses): number {
  if (id !== undefined) return id
  const added = nextId()
  losses.added(['id'], added, 'genai numbers its pictures')
  return added
}

/** Undefined if genai has no equivalent: then `lost` is dropped. The losses are those of the picture. */
export function encodePicture(source: Source, losses: Losses, lost: Path = []): WirePicture | undefined {
  if (source.kind === 'base64') return { bytesBase64Encoded: source.data, mimeType: source.mime }
  if (source.kind !== 'url' && !(source.kind === 'file' && source.issuer === ISSUER)) {
    losses.dropped(lost, 'genai takes no picture of this form')
    return undefined
  }
  const gcsUri = source.kind === 'url' ? source.url : source.id
  const read = sourceOf(gcsUri, source.mime)
  if (read.kind !== source.kind) losses.changed(['source'], read, 'genai distinguishes files and URLs by their names')
  return { gcsUri, ...defined({ mimeType: source.mime }) }
}
