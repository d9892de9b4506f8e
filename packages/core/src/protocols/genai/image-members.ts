import type {
  DrawnImage,
  ImageAnswer,
  ImageDelivery,
  ImageMask,
  ImageRequest,
  ImageSettings,
  ReferenceImage,
} from '../../ir/image.ts'
import { tablesOf, UNSUPPORTED } from '../member-tables.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

/** The settings of pictures that genai has. */
export type ImageSetting = Exclude<keyof ImageSettings, 'background' | 'fidelity' | 'style'>

/** What genai can express of requests for pictures and of their answers. */
export const IMAGE_TABLES = {
  request: table<ImageRequest, 'model' | 'prompt' | 'references' | 'mask' | 'settings' | 'delivery' | 'extras'>(NAME, {
    user: UNSUPPORTED,
  }),
  reference: table<ReferenceImage, 'source' | 'id' | 'role' | 'extras'>(NAME, {}),
  mask: table<ImageMask, 'source' | 'id' | 'mode' | 'extras'>(NAME, {}),
  settings: table<ImageSettings, ImageSetting>(NAME, {
    background: UNSUPPORTED,
    fidelity: UNSUPPORTED,
    style: UNSUPPORTED,
  }),
  delivery: table<ImageDelivery>(NAME, {
    stream: 'genai has no streams of pictures',
    partials: 'genai has no streams of pictures',
    form: 'the upstream chooses the form of its pictures',
  }),
  answer: table<ImageAnswer, 'images' | 'extras'>('an answer of genai', {
    created: UNSUPPORTED,
    size: UNSUPPORTED,
    quality: UNSUPPORTED,
    background: UNSUPPORTED,
    format: 'in genai, each picture has its own type',
    usage: UNSUPPORTED,
  }),
  image: table<DrawnImage, 'source' | 'prompt' | 'blocked' | 'extras'>(NAME, {}),
}
