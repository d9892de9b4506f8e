import { acceptFormEdit, acceptGeneration, acceptJsonEdit } from './images-request.ts'
import { pngOf } from './png.ts'
import type { ImageRules } from './predict.ts'
import { RefusedError, type Wire } from './refuse.ts'
import type { Script } from './script.ts'
import { createDouble, UnknownKeyError, type Double, type Received } from './server.ts'

const GENERATIONS = '/images/generations'
const EDITS = '/images/edits'

/**
 * OpenAI's images: `POST /images/generations` and `POST /images/edits`, as forms and as JSON, whole and streamed. The images are real,
 * of a size in the asked-for shape, and their colour depends on the prompt.
 */
export function createImagesDouble(
  { most = 10, forbidden = 'forbidden' }: ImageRules = {},
  script: Script = [{ parts: [] }],
): Promise<Double> {
  return createDouble(
    {
      paths: ['', '/v1'].flatMap((base) => [base + GENERATIONS, base + EDITS]),
      accept: (call) => accept(call, most, forbidden),
      answer: (call) => (memberOf(call, 'stream') === true ? framesOf(call) : answerOf(call)),
      error: (_status, { message, type, param = null, code = null }) => ({ error: { message, type, param, code } }),
      errorFrame: (body) => frame('error', { type: 'error', ...body }),
      ping: ': keep-alive\n\n',
      seal: (text) => text,
      hide: (text) => text,
    },
    script,
  )
}

function accept(call: Received, most: number, forbidden: string): void {
  const { headers, path, files } = call
  if (!String(headers['authorization']).startsWith('Bearer '))
    throw new UnknownKeyError('You did not provide an API key.')
  const body = readText(call)
  if (path.endsWith(GENERATIONS)) acceptGeneration(body)
  else if (files === undefined) acceptJsonEdit(body)
  else acceptFormEdit(body, typesOf(files))
  if (Number(body['n'] ?? 1) > most) throw new RefusedError('n', `must be at most ${most}`)
  if (String(body['prompt']).includes(forbidden))
    throw new RefusedError('prompt', 'rejected by the safety system', 'moderation_blocked')
}

function typesOf(files: NonNullable<Received['files']>): { readonly [name: string]: readonly string[] } {
  const groups = Map.groupBy(files, ({ name }) => name)
  return Object.fromEntries([...groups].map(([name, parts]) => [name, parts.map(({ file }) => file.type)]))
}

/** The text of a form as JSON: OpenAI reads numbers and booleans in it. */
function readText({ body, files }: Received): Wire {
  if (files === undefined) return body
  const entries = Object.entries(body).map(([name, value]) => [name, TYPED.has(name) ? parsed(String(value)) : value])
  return Object.fromEntries(entries) as Wire
}

const TYPED = new Set(['n', 'stream', 'partial_images', 'output_compression'])

function parsed(text: string): unknown {
  return /^(true|false|-?\d+(\.\d+)?)$/.test(text) ? (JSON.parse(text) as unknown) : text
}

function memberOf(call: Received, member: string): unknown {
  return readText(call)[member]
}

const USAGE = {
  input_tokens: 50,
  input_tokens_details: { image_tokens: 40, text_tokens: 10 },
  output_tokens: 1056,
  total_tokens: 1106,
}

/** What the images of a call look like. */
function lookOf(call: Received): Wire {
  const { size = 'auto', quality = 'auto', background = 'auto', output_format = 'png' } = readText(call)
  return {
    background: background === 'auto' ? 'opaque' : background,
    output_format,
    quality: quality === 'auto' ? 'medium' : quality,
    size: size === 'auto' ? '1024x1024' : size,
  }
}

/** An image with one pixel for 64 of the width and of the height that was asked for. */
function draw(call: Received, name: string): string {
  const [width = 1024, height = 1024] = String(lookOf(call)['size']).split('x').map(Number)
  return pngOf(`${String(memberOf(call, 'prompt'))} ${name}`, Math.ceil(width / 64), Math.ceil(height / 64))
}

function namesOf(call: Received): readonly string[] {
  return Array.from({ length: Number(memberOf(call, 'n') ?? 1) }, (_, index) => String(index))
}

function answerOf(call: Received): object {
  const data = namesOf(call).map((name) => ({ b64_json: draw(call, name) }))
  return { created: 1_760_000_000, ...lookOf(call), data, usage: USAGE }
}

function framesOf(call: Received): string[] {
  const kind = call.path.endsWith(GENERATIONS) ? 'image_generation' : 'image_edit'
  const event = (type: string, members: object) =>
    frame(`${kind}.${type}`, { type: `${kind}.${type}`, created_at: 1_760_000_000, ...lookOf(call), ...members })
  const partials = Number(memberOf(call, 'partial_images') ?? 0)
  return namesOf(call).flatMap((name) => [
    ...Array.from({ length: partials }, (_, index) =>
      event('partial_image', { b64_json: draw(call, `${name} ${index}`), partial_image_index: index }),
    ),
    event('completed', { b64_json: draw(call, name), usage: USAGE }),
  ])
}

function frame(event: string, body: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(body)}\n\n`
}
