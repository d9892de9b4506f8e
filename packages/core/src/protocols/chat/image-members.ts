import type { DrawnImage, ImageAnswer, ImageMask, ImageRequest, ImageSettings, ReferenceImage } from '../../ir/image.ts'
import type { Usage } from '../../ir/usage.ts'
import { CLAMPED, tablesOf } from '../member-tables.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

const SETTINGS = ['count', 'size', 'quality', 'background', 'format', 'compression', 'safety'] as const

/** The members that cannot be written, of each node of a request for images and of its answer. */
export const IMAGE_TABLES = {
  generation: table<ImageRequest>('chat', ['model', 'prompt', 'settings', 'delivery', 'user', 'extras'], {
    references: 'no given image could be written',
    mask: 'there is no image that it could be for',
  }),
  edit: table<ImageRequest>('chat', [
    'model',
    'prompt',
    'references',
    'mask',
    'settings',
    'delivery',
    'user',
    'extras',
  ]),
  generationSettings: table<ImageSettings>('chat', [...SETTINGS, 'style'], {
    fidelity: 'there is no image to follow',
  }),
  editSettings: table<ImageSettings>('chat', [...SETTINGS, 'fidelity'], { style: 'an edit in chat has no style' }),
  reference: table<ReferenceImage>('an image of chat', ['source', 'extras']),
  mask: table<ImageMask>('a mask of chat', ['source', 'extras']),
  answer: table<ImageAnswer>('chat', [
    'created',
    'images',
    'usage',
    'size',
    'quality',
    'background',
    'format',
    'extras',
  ]),
  image: table<DrawnImage>('an image of chat', ['source', 'prompt', 'extras']),
  event: table<DrawnImage>('a streamed image of chat', ['source'], {
    extras: 'an event has only those of the answer',
  }),
  usage: table<Usage>('chat usage of images', ['input', 'output', 'cacheRead', 'modalities', 'extras'], {
    clamped: CLAMPED,
  }),
}
