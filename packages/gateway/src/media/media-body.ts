import { checkCounts, DragomanError, isObject, type JsonObject } from '@dragoman/core'
import type { FormCodec } from '@dragoman/core/media'
import { findParts, type FormPart, type SentForm } from '../bodies/form-parts.ts'
import { shortenRequest } from '../bodies/long-strings.ts'
import type { SentBody, WorkOptions } from '../bodies/request-work.ts'
import type { ShortBody } from '../bodies/short-body.ts'
import { shortenForm } from '../bodies/short-form.ts'
import { readJson } from '../ports/body.ts'

/** A body of a media call that has been parsed. Its large values have stand-ins. */
export interface MediaBody {
  readonly json: JsonObject
  readonly short: ShortBody
  /** Set if it is a form. */
  readonly form?: SentForm & { readonly parts: readonly FormPart[] }
}

/** Parses a JSON body. */
function readMediaJson(bytes: Uint8Array, history: string, { counts }: WorkOptions): MediaBody {
  const short = shortenRequest(bytes)
  const json = readJson(short.bytes)
  if (!isObject(json)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
  checkCounts(json, history, short.bytes.length, counts)
  return { json, short }
}

/** Parses a body. `forms` is absent if the protocol has no forms for calls of this kind. */
export function readMediaBody(
  { bytes, form: type }: SentBody,
  history: string,
  forms: FormCodec | undefined,
  options: WorkOptions,
): MediaBody | Promise<MediaBody> {
  if (type === undefined) return readMediaJson(bytes, history, options)
  if (forms === undefined) throw new DragomanError('media-type', 'The content-type header must be application/json.')
  return readMediaForm({ bytes, type }, forms, options)
}

/** Parses a form. */
async function readMediaForm(form: SentForm, forms: FormCodec, { part }: WorkOptions): Promise<MediaBody> {
  const parts = findParts(form, { part })
  const { form: shortened, short } = shortenForm(form, parts)
  return { json: await forms.read(shortened), short, form: { ...form, parts } }
}
