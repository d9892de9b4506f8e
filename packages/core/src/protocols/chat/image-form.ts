import { DragomanError } from '../../ir/error.ts'
import { decodeBytes, encodeBytes } from '../../lib/base64-bytes.ts'
import { formatDataUrl, parseDataUrl, imageTypeOfBytes } from '../../lib/data-url.ts'
import type { Json, JsonObject } from '../../lib/json.ts'

/** Members that are numbers or booleans: a form has only text for them. */
const NUMBERS = ['n', 'output_compression', 'partial_images', 'frame_count', 'frame_duration_ms']
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['True', true],
  ['False', false],
])
/** Members that clients repeat, with and without brackets. */
const IMAGE = 'image'

/** A form of `/images/edits` as the equivalent JSON body. Files become data URLs. */
export async function readImageForm(form: FormData): Promise<JsonObject> {
  const members = new Map<string, Json[]>()
  for (const [name, value] of form) {
    const member = name === `${IMAGE}[]` ? IMAGE : name
    const values = members.get(member) ?? []
    values.push(typeof value === 'string' ? readText(member, value) : await readFile(value))
    members.set(member, values)
  }
  const entries = [...members].map(([member, values]): [string, Json] => [member, single(member, values)])
  return Object.fromEntries(entries)
}

/** A repeated member is refused like a value of the wrong type, if it must not be repeated: it is unknown which one counts. */
function single(member: string, values: readonly Json[]): Json {
  const [first = '', ...others] = values
  if (member === IMAGE) return others.length === 0 ? first : values
  if (others.length === 0) return first
  throw new DragomanError('invalid-request', `${member}: must not be repeated`, { param: member })
}

/** Text that is not a number stays text, and is refused by the check of the body. */
function readText(member: string, text: string): Json {
  if (member === 'stream') return FLAGS.get(text) ?? text
  return NUMBERS.includes(member) && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text
}

/** A file without a type, or with the type of any bytes, is recognised by its first bytes. */
async function readFile(file: File): Promise<string> {
  const given = file.type.split(';')[0]?.trim() ?? ''
  const isKnown = given !== '' && given !== 'application/octet-stream'
  const mime = isKnown ? given : (imageTypeOfBytes(new Uint8Array(await file.slice(0, 16).arrayBuffer())) ?? UNKNOWN)
  return formatDataUrl({ mime, data: await base64Of(file) })
}

const UNKNOWN = 'application/octet-stream'
/** A multiple of 3, so that the base64 of all pieces is that of the file. Each piece is short, so that no other work waits long. */
const PIECE = 3 * 256 * 1024

async function base64Of(file: Blob): Promise<string> {
  const pieces: string[] = []
  for (let start = 0; start < file.size; start += PIECE) {
    pieces.push(encodeBytes(new Uint8Array(await file.slice(start, start + PIECE).arrayBuffer())))
  }
  return pieces.join('')
}

/** An encoded edit as a form: data URLs become files. */
export function writeImageForm(body: JsonObject): FormData {
  const form = new FormData()
  for (const [member, value] of Object.entries(body)) {
    if (member === IMAGE && Array.isArray(value)) {
      const isOne = value.length === 1
      value.forEach((item: Json, index) => append(form, isOne ? IMAGE : `${IMAGE}[]`, item, `${IMAGE}-${index + 1}`))
    } else append(form, member, value, member)
  }
  return form
}

function append(form: FormData, member: string, value: Json, name: string): void {
  if (typeof value !== 'string') return form.append(member, JSON.stringify(value))
  const inline = member === 'prompt' ? undefined : parseDataUrl(value)
  if (inline === undefined) return form.append(member, value)
  const { mime, data } = inline
  form.append(member, new File(decodeBytes(data), `${name}.${mime.slice(mime.indexOf('/') + 1)}`, { type: mime }))
}
