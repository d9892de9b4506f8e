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

/** What genai can express of requests for pictures and of their answers. */
export const IMAGE_TABLES = {
  request: table<ImageRequest>(NAME, ['model', 'prompt', 'references', 'mask', 'settings', 'delivery', 'extras']),
  reference: table<ReferenceImage>(NAME, ['source', 'id', 'role', 'extras']),
  mask: table<ImageMask>(NAME, ['source', 'id', 'mode', 'extras']),
  settings: table<ImageSettings>(NAME, IMAGE_SETTINGS),
  delivery: table<ImageDelivery>(NAME, [], {
    stream: 'genai has no streams of pictures',
    partials: 'genai has no streams of pictures',
    form: 'the upstream chooses the form of its pictures',
  }),
  answer: table<ImageAnswer>('an answer of genai', ['images', 'extras'], {
    format: 'in genai, each picture has its own type',
  }),
  image: table<DrawnImage>(NAME, ['source', 'prompt', 'blocked', 'extras']),
}
