import type {
  DrawnImage,
  ImageAnswer,
  ImageDelivery,
  ImageMask,
  ImageRequest,
  ImageSettings,
  ReferenceImage,
} from '../../ir/image.ts'
import { tablesOf } from '../member-tables.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

const IMAGE_SETTINGS = [
  'count',
  'size',
  'tier',
  'aspectRatio',
  'quality',
  'format',
  'compression',
  'negativePrompt',
  'seed',
  'enhance',
  'watermark',
  'guidance',
  'people',
  'safety',
  'explainBlocks',
] as const

/** What genai can express of requests for images and of their answers. */
export const IMAGE_TABLES = {
  request: table<ImageRequest>(NAME, ['model', 'prompt', 'references', 'mask', 'settings', 'delivery', 'extras']),
  reference: table<ReferenceImage>(NAME, ['source', 'id', 'role', 'extras']),
  mask: table<ImageMask>(NAME, ['source', 'id', 'mode', 'extras']),
  settings: table<ImageSettings>(NAME, IMAGE_SETTINGS),
  delivery: table<ImageDelivery>(NAME, [], {
    stream: 'genai has no streams of images',
    partials: 'genai has no streams of images',
    form: 'the upstream chooses the form of its images',
  }),
  answer: table<ImageAnswer>('an answer of genai', ['images', 'extras'], {
    format: 'in genai, each image has its own type',
  }),
  image: table<DrawnImage>(NAME, ['source', 'prompt', 'blocked', 'extras']),
}
