import type { Path } from '../../ir/loss.ts'
import type { JsonObject } from '../../lib/json.ts'
import { siteTable, type SiteTable } from '../locate.ts'
import { isMask } from './image-check.ts'
import type { PredictRequest } from './image-schema.ts'

const MEMBERS = siteTable({
  prompt: 'instances.0.prompt',
  settings: 'parameters',
  'settings.count': 'parameters.sampleCount',
  'settings.size': ['parameters.imageSize', 'imageSize'],
  'settings.tier': ['parameters.sampleImageSize', 'sampleImageSize'],
  'settings.quality': ['parameters.quality', 'quality'],
  'settings.enhance': 'parameters.enhancePrompt',
  'settings.watermark': 'parameters.addWatermark',
  'settings.guidance': 'parameters.guidanceScale',
  'settings.people': 'parameters.personGeneration',
  'settings.safety': 'parameters.safetySetting',
  'settings.explainBlocks': 'parameters.includeRaiReason',
  'settings.format': 'parameters.outputOptions.mimeType',
  'settings.compression': 'parameters.outputOptions.compressionQuality',
})

const LIST: Path = ['instances', 0, 'referenceImages']

/** Where a checked body has the values of a decoded request. The first image can be apart from the others, and the mask is among them. */
export function imageSitesOf(body: JsonObject): SiteTable {
  const [{ image, referenceImages = [] } = {}] = (body as PredictRequest).instances // checked at the edge
  const mask = referenceImages.findIndex(isMask)
  const first: readonly ImageSite[] = image === undefined ? [] : [[['instances', 0, 'image'], []]]
  const others = referenceImages.flatMap((_, index): readonly ImageSite[] =>
    index === mask ? [] : [referenceAt(index)],
  )
  return new Map([
    ...MEMBERS,
    ['references', [LIST, ['instances', 0, 'image']]],
    ...[...first, ...others].flatMap((each, index) => entriesOf(each, `references.${index}`)),
    ...(mask < 0 ? [] : entriesOf(referenceAt(mask), 'mask')),
  ])
}

/** Where an image is, and in it the member with its bytes or its URL. */
type ImageSite = readonly [at: Path, inside: Path]

function referenceAt(index: number): ImageSite {
  return [[...LIST, index], ['referenceImage']]
}

function entriesOf([at, inside]: ImageSite, name: string): readonly (readonly [string, readonly Path[]])[] {
  const sources = ['gcsUri', 'bytesBase64Encoded'].map((member) => [...at, ...inside, member])
  return [
    [name, [at]],
    [`${name}.source`, [...sources, at]],
  ]
}
