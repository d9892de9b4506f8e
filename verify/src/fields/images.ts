import { describeLoss, type JsonObject, type Protocol } from '@dragoman/core'
import { mediaKinds, translateMediaRequest, type TranslatedMedia } from '@dragoman/core/media'
import { chat, genai } from '@dragoman/core/protocols'
import { markdownTable } from '../markdown-table.ts'
import { cellOf } from './cell.ts'
import { newPaths } from './paths.ts'

/** A request for images with one more member than the base. */
interface ImageProbe {
  readonly field: string
  readonly body: JsonObject
  /** By default the base. */
  readonly without?: JsonObject
}

const PNG = 'iVBORw0KGgo='
const DATA = `data:image/png;base64,${PNG}`

const ASKED = { model: 'm', prompt: 'a boat' }
const EDIT = { ...ASKED, image: DATA }
const generations: readonly ImageProbe[] = Object.entries({
  n: 2,
  size: '1024x1024',
  quality: 'high',
  background: 'opaque',
  moderation: 'low',
  output_format: 'webp',
  style: 'vivid',
  stream: true,
  response_format: 'url',
  user: 'u',
}).map(([field, value]) => ({ field, body: { ...ASKED, [field]: value } }))
const JPEG = { ...ASKED, output_format: 'jpeg' }
const CHAT: readonly ImageProbe[] = [
  ...generations,
  { field: 'output_compression', body: { ...JPEG, output_compression: 50 }, without: JPEG },
  {
    field: 'partial_images',
    body: { ...ASKED, stream: true, partial_images: 1 },
    without: { ...ASKED, stream: true },
  },
]
const CHAT_EDITS: readonly ImageProbe[] = [
  { field: 'image', body: { ...EDIT, image: [DATA, DATA] } },
  { field: 'mask', body: { ...EDIT, mask: DATA } },
  { field: 'input_fidelity', body: { ...EDIT, input_fidelity: 'high' } },
]

const PROMPT = { instances: [{ prompt: 'a boat' }] }
const GIVEN = { bytesBase64Encoded: PNG, mimeType: 'image/png' }
const GENAI: readonly ImageProbe[] = [
  { field: 'instances[].image', body: { instances: [{ prompt: 'a boat', image: GIVEN }] } },
  ...Object.entries({
    sampleCount: 2,
    negativePrompt: 'rain',
    aspectRatio: '16:9',
    seed: 7,
    enhancePrompt: true,
    personGeneration: 'allow_adult',
    safetySetting: 'BLOCK_ONLY_HIGH',
    includeRaiReason: true,
    addWatermark: true,
    guidanceScale: 3,
    imageSize: '1024x1024',
    quality: 'high',
    sampleImageSize: '2K',
    outputOptions: { mimeType: 'image/jpeg', compressionQuality: 50 },
  }).map(([member, value]) => ({
    field: `parameters.${member}`,
    body: { ...PROMPT, parameters: { [member]: value } },
  })),
]

/** The chapter about images: requests as the codecs write them, before they are fitted to a card. */
export function writeImages(): string {
  return [
    '## Images\n',
    'A request is also fitted to the card of its model: sizes are computed from aspect ratios there.\n',
    table('chat `/images/generations`', 'genai `:predict`', CHAT, ASKED, chat, genai, 'image'),
    table('chat `/images/edits`', 'genai `:predict`', CHAT_EDITS, EDIT, chat, genai, 'image-edit'),
    table('genai `:predict`', 'chat', GENAI, PROMPT, genai, chat, 'predict'),
  ].join('\n')
}

function table(
  from: string,
  to: string,
  probes: readonly ImageProbe[],
  base: JsonObject,
  caller: Protocol,
  upstream: Protocol,
  operation: string,
): string {
  const translated = (body: JsonObject) =>
    translateMediaRequest(mediaKinds.image, caller, upstream, body, { operation, match: { model: 'm' } })
  const rows = probes.map(({ field, body, without = base }) => {
    const after = translated(body)
    const before = translated(without)
    const paths = newPaths(bodyOf(after), bodyOf(before))
    return [`\`${field}\``, cellOf(paths, after.losses.map(describeLoss), before.losses.map(describeLoss))]
  })
  return `${markdownTable([from, to], rows)}\n`
}

function bodyOf({ calls: [call] }: TranslatedMedia): JsonObject {
  return call?.body ?? {}
}
