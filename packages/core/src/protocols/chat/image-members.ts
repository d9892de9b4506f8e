import type { DrawnImage, ImageAnswer, ImageMask, ImageRequest, ImageSettings, ReferenceImage } from '../../ir/image.ts'
import type { Usage } from '../../ir/usage.ts'
import { CLAMPED, tablesOf, UNSUPPORTED } from '../member-tables.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

type Setting = 'count' | 'size' | 'quality' | 'background' | 'format' | 'compression' | 'safety' | 'fidelity' | 'style'

const others = {
  tier: UNSUPPORTED,
  aspectRatio: UNSUPPORTED,
  negativePrompt: UNSUPPORTED,
  seed: UNSUPPORTED,
  enhance: UNSUPPORTED,
  watermark: UNSUPPORTED,
  guidance: UNSUPPORTED,
  people: UNSUPPORTED,
  explainBlocks: UNSUPPORTED,
} as const

/** The members that cannot be written, of each node of a request for pictures and of its answer. */
export const IMAGE_TABLES = {
  generation: table<ImageRequest, 'model' | 'prompt' | 'settings' | 'delivery' | 'user' | 'extras'>('chat', {
    references: 'no given picture could be written',
    mask: 'there is no picture that it could be for',
  }),
  edit: table<ImageRequest, 'model' | 'prompt' | 'references' | 'mask' | 'settings' | 'delivery' | 'user' | 'extras'>(
    'chat',
    {},
  ),
  generationSettings: table<ImageSettings, Exclude<Setting, 'fidelity'>>('chat', {
    ...others,
    fidelity: 'there is no picture to follow',
  }),
  editSettings: table<ImageSettings, Exclude<Setting, 'style'>>('chat', {
    ...others,
    style: 'an edit in chat has no style',
  }),
  reference: table<ReferenceImage, 'source' | 'extras'>('a picture of chat', { id: UNSUPPORTED, role: UNSUPPORTED }),
  mask: table<ImageMask, 'source' | 'extras'>('a mask of chat', { id: UNSUPPORTED, mode: UNSUPPORTED }),
  answer: table<ImageAnswer, keyof ImageAnswer>('chat', {}),
  image: table<DrawnImage, 'source' | 'prompt' | 'extras'>('a picture of chat', { blocked: UNSUPPORTED }),
  event: table<DrawnImage, 'source'>('a streamed picture of chat', {
    prompt: UNSUPPORTED,
    blocked: UNSUPPORTED,
    extras: 'an event has only those of the answer',
  }),
  usage: table<Usage, 'input' | 'output' | 'cacheRead' | 'modalities' | 'extras'>('chat usage of pictures', {
    cacheWrite5m: UNSUPPORTED,
    cacheWrite1h: UNSUPPORTED,
    reasoning: UNSUPPORTED,
    toolPrompt: UNSUPPORTED,
    searches: UNSUPPORTED,
    fetches: UNSUPPORTED,
    estimated: UNSUPPORTED,
    clamped: CLAMPED,
  }),
}
