import { keepExtras, keptWord, nest, restore } from '../../ir/extras.ts'
import type { ImageMask, ImageRequest, ReferenceImage } from '../../ir/image.ts'
import type { Losses, Path } from '../../ir/loss.ts'
import type { Source } from '../../ir/part.ts'
import { standardBase64 } from '../../lib/base64.ts'
import { imageTypeOf } from '../../lib/data-url.ts'
import { defined } from '../../lib/members.ts'
import { optionalString, stringOf } from '../../lib/json.ts'
import { isMask, USER_PROVIDED } from './image-check.ts'
import type { WireInstance, WireImageSource, WireReference } from './image-schema.ts'
import { sourceOf } from './media.ts'
import { ISSUER, NAME } from './schema.ts'

type References = Pick<ImageRequest, 'references' | 'mask'>
type WireReferences = Pick<WireInstance, 'image' | 'referenceImages'>

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

/** `image` is the first image; only it has no id. */
export function decodeReferences({ image, referenceImages = [] }: WireReferences): References {
  const wireMask = referenceImages.find(isMask)
  const references = referenceImages.filter((reference) => reference !== wireMask).map(decodeReference)
  if (image !== undefined) {
    const { source, rest } = decodeImageSource(image)
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
  const { source, rest } = decodeImageSource(referenceImage)
  const word = role === undefined && referenceType !== RAW ? { referenceType } : {}
  const left = nest({ ...word, ...others }, 'referenceImage', rest)
  return { source, id, ...(role === undefined ? undefined : { role }), ...keepExtras(NAME, left) }
}

function decodeMask(wire: WireReference): ImageMask {
  const { referenceType: _mask, referenceId: id, referenceImage, maskImageConfig = {}, ...others } = wire
  const { maskMode, ...config } = maskImageConfig
  const { source, rest } = referenceImage === undefined ? {} : decodeImageSource(referenceImage)
  const left = nest(nest(others, 'maskImageConfig', config), 'referenceImage', rest)
  const mode = maskMode === USER_PROVIDED ? undefined : maskMode
  return { ...defined({ source, mode }), id, ...keepExtras(NAME, left) }
}

export function decodeImageSource({ bytesBase64Encoded, gcsUri, mimeType, ...rest }: WireImageSource): {
  readonly source: Source
  readonly rest: object
} {
  const mime = optionalString(mimeType)
  if (stringOf(bytesBase64Encoded) === '') return { source: sourceOf(stringOf(gcsUri), mime), rest }
  const data = standardBase64(stringOf(bytesBase64Encoded))
  return { source: { kind: 'base64', mime: mime ?? imageTypeOf(data) ?? 'image/png', data }, rest }
}

/** One image without an id is `image`. Otherwise all are references, and get ids. */
export function encodeReferences({ references = [], mask }: ImageRequest, losses: Losses): WireReferences {
  const [first, ...others] = references
  const isPlain = first !== undefined && first.id === undefined && first.role === undefined
  const named = [...others, ...(mask === undefined ? [] : [mask])]
  const asImage = isPlain && named.every(({ id }) => id !== undefined) ? first : undefined
  const idOf = createIds([...references, ...named])
  const image = asImage && encodeImageSource(asImage.source, losses.at('references', 0))
  const referenceImages: WireReference[] = []
  for (const [index, reference] of references.entries()) {
    if (reference === asImage) continue
    const wire = encodeReference(reference, idOf, losses.at('references', index))
    if (wire !== undefined) referenceImages.push(wire)
  }
  const isEdit = image !== undefined || referenceImages.length > 0
  if (mask !== undefined && !isEdit) losses.dropped(['mask'], 'a mask needs an image to edit')
  const wireMask = mask !== undefined && isEdit ? encodeMask(mask, idOf, losses.at('mask')) : undefined
  if (wireMask !== undefined) referenceImages.push(wireMask)
  return defined({
    image: image && asImage && restore(NAME, asImage, image),
    referenceImages: referenceImages.length === 0 ? undefined : referenceImages,
  })
}

type IdOf = (image: { readonly id?: number }, losses: Losses) => number

/** Every image has an id of its own: the one that it has, or a new one. */
function createIds(images: readonly { readonly id?: number }[]): IdOf {
  const taken = new Set(images.map(({ id }) => id))
  const used = new Set<number>()
  let last = 0
  return ({ id }, losses) => {
    if (id !== undefined && !used.has(id)) {
      used.add(id)
      return id
    }
    do last++
    while (taken.has(last))
    if (id === undefined) losses.added(['id'], last, 'genai numbers its images')
    else losses.changed(['id'], last, 'genai has every number once')
    return last
  }
}

function encodeReference(reference: ReferenceImage, idOf: IdOf, losses: Losses): WireReference | undefined {
  const { role } = reference
  const referenceImage = encodeImageSource(reference.source, losses)
  if (referenceImage === undefined) return undefined
  const referenceType = role === undefined ? (keptWord(reference, NAME, 'referenceType') ?? RAW) : TYPE_OF[role]
  return restore(NAME, reference, { referenceType, referenceId: idOf(reference, losses), referenceImage })
}

function encodeMask(mask: ImageMask, idOf: IdOf, losses: Losses): WireReference | undefined {
  const referenceImage = mask.source && encodeImageSource(mask.source, losses)
  if (mask.source !== undefined && referenceImage === undefined) return undefined
  return restore(NAME, mask, {
    referenceType: 'REFERENCE_TYPE_MASK',
    referenceId: idOf(mask, losses),
    ...(referenceImage === undefined ? undefined : { referenceImage }),
    maskImageConfig: { maskMode: mask.mode ?? USER_PROVIDED },
  })
}

/** Undefined if genai has no equivalent: then `lost` is dropped. The losses are those of the image. */
export function encodeImageSource(source: Source, losses: Losses, lost: Path = []): WireImageSource | undefined {
  if (source.kind === 'base64') return { bytesBase64Encoded: source.data, mimeType: source.mime }
  if (source.kind !== 'url' && !(source.kind === 'file' && source.issuer === ISSUER)) {
    losses.dropped(lost, 'genai takes no image of this form')
    return undefined
  }
  const gcsUri = source.kind === 'url' ? source.url : source.id
  const read = sourceOf(gcsUri, source.mime)
  if (read.kind !== source.kind) losses.changed(['source'], read, 'genai distinguishes files and URLs by their names')
  return { gcsUri, ...defined({ mimeType: source.mime }) }
}
