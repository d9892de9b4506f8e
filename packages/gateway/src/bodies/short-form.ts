import type { Edits } from '@dragoman/core'
import { createShortBody, holesOf, KEPT, markBytes, type Hole, type ShortBody } from './short-body.ts'
import { joinBytes } from '@dragoman/core/provider'
import type { FormPart, SentForm } from './form-parts.ts'

/** A form whose large files have stand-ins. */
export interface ShortForm {
  readonly form: FormData
  /** Restores JSON bodies that are made from the form, and forms that are written from them. */
  readonly short: ShortBody
}

/** Bytes that are base64 in `KEPT` characters. */
const HEAD = (KEPT / 4) * 3
/** Smaller files are not taken out. */
const LARGE = 64 * 1024

/** Takes large files out of a form. */
export function shortenForm({ bytes }: SentForm, parts: readonly FormPart[]): ShortForm {
  const large = parts.filter(isLarge)
  const holes = holesOf(large.map(({ content }) => ({ binary: middleOf(bytes, content) })))
  const form = new FormData()
  for (const part of parts) {
    const { name, filename, type, content } = part
    const whole = bytes.subarray(content.start, content.end)
    const hole = holes[large.indexOf(part)]
    if (filename === undefined) form.append(name, TEXT.decode(whole))
    else form.append(name, new File([hole === undefined ? own(whole) : standIn(whole, hole)], filename, typed(type)))
  }
  return { form, short: createShortBody([NOTHING], holes) }
}

const NOTHING = new Uint8Array()
const TEXT = new TextDecoder()
const UTF8 = new TextEncoder()

function typed(type: string | undefined): { type?: string } {
  return type === undefined ? {} : { type }
}

function isLarge({ filename, content }: FormPart): boolean {
  return filename !== undefined && content.end - content.start >= LARGE
}

/** A multiple of three bytes, so that its base64 can stand between that of the others. */
function middleOf(bytes: Uint8Array, { start, end }: FormPart['content']): Uint8Array {
  const from = start + HEAD
  return bytes.subarray(from, end - ((end - from) % 3))
}

function standIn(file: Uint8Array, hole: Hole): Uint8Array<ArrayBuffer> {
  const rest = (file.length - HEAD) % 3
  return own(joinBytes([file.subarray(0, HEAD), markBytes(hole), file.subarray(file.length - rest)]))
}

/** A copy of bytes: the type excludes memory that is shared with other threads. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.slice()
}

/** The form as it was sent, with the parts that the edits name replaced or left out. */
export function editForm({ bytes }: SentForm, parts: readonly FormPart[], edits: Edits): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { name, whole, content } of parts) {
    const edit = Object.hasOwn(edits, name) ? edits[name] : undefined
    if (edit === undefined) continue
    pieces.push(bytes.subarray(from, edit === null ? whole.start : content.start))
    if (edit !== null) pieces.push(UTF8.encode(textOf(edit)))
    from = edit === null ? whole.end : content.end
  }
  return [...pieces, bytes.subarray(from)]
}

/** Edits are JSON; a form has the text of a string. */
function textOf(edit: string): string {
  const value: unknown = JSON.parse(edit)
  return typeof value === 'string' ? value : edit
}
