import { DragomanError } from '@dragoman/core'

/** A form as it was sent. */
export interface SentForm {
  readonly bytes: Uint8Array
  /** The content type, with the boundary. */
  readonly type: string
}

/** One part of a form. The ranges are those of its bytes. */
export interface FormPart {
  readonly name: string
  /** Absent if it is a text. */
  readonly filename?: string | undefined
  readonly type?: string | undefined
  /** From its boundary to the next one. */
  readonly whole: Range
  readonly content: Range
}

interface Range {
  readonly start: number
  readonly end: number
}

export interface FormLimits {
  /** The largest file, in bytes. */
  readonly part: number
}

const MOST_PARTS = 128
const LONGEST_HEAD = 16 * 1024
const LONGEST_TEXT = 1024 * 1024

/** Finds the parts of a form in its own bytes: nothing is copied. Throws an error that names the part if a limit is exceeded. */
export function findParts({ bytes, type }: SentForm, { part: largest }: FormLimits): readonly FormPart[] {
  const [, quoted, plain] = /boundary=(?:"([^"]{1,200})"|([^\s;,"]{1,200}))/i.exec(type) ?? []
  const boundary = UTF8.encode(`\r\n--${quoted ?? plain ?? ''}`)
  const parts: FormPart[] = []
  // The first boundary has no line end before it if it is the beginning of the body.
  const begins = startsWith(bytes, 0, boundary.subarray(2))
  let start = begins ? 0 : find(bytes, boundary, 0) + 2
  if (!begins && start < 2) throw broken()
  for (;;) {
    const after = start + boundary.length - 2
    if (startsWith(bytes, after, DASHES)) return parts
    const next = find(bytes, boundary, after)
    if (next < 0) throw broken()
    const found = readPart(bytes, { start, end: next + 2 }, after)
    checkPart(found, parts.length, largest)
    parts.push(found)
    start = next + 2
  }
}

function readPart(bytes: Uint8Array, whole: Range, after: number): FormPart {
  const head = find(bytes.subarray(0, Math.min(whole.end, after + LONGEST_HEAD)), HEAD_END, after)
  if (head < 0) throw broken()
  const fields = fieldsOf(STRICT.decode(bytes.subarray(after, head)))
  const disposition = fields.get('content-disposition') ?? ''
  const name = parameterOf(disposition, 'name')
  if (name === undefined) throw broken()
  return {
    name,
    filename: parameterOf(disposition, 'filename'),
    type: fields.get('content-type'),
    whole,
    content: { start: head + HEAD_END.length, end: whole.end - 2 },
  }
}

function checkPart({ name, filename, content }: FormPart, count: number, largest: number): void {
  if (count >= MOST_PARTS) throw refused(name, `a form has at most ${MOST_PARTS} parts`)
  const size = content.end - content.start
  if (filename !== undefined && size > largest) throw refused(name, `a file has at most ${largest} bytes`)
  if (filename === undefined && size > LONGEST_TEXT) throw refused(name, `a text has at most ${LONGEST_TEXT} bytes`)
}

function refused(name: string, why: string): DragomanError {
  const param = name.replace(/\[\]$/, '')
  return new DragomanError('invalid-request', `${param}: ${why}.`, { param })
}

function broken(): DragomanError {
  return new DragomanError('invalid-request', 'The body is not valid multipart/form-data.')
}

const UTF8 = new TextEncoder()
/** Has no state between calls. Invalid names become others, which no member has. */
const STRICT = new TextDecoder()
const DASHES = UTF8.encode('--')
const HEAD_END = UTF8.encode('\r\n\r\n')

function fieldsOf(head: string): ReadonlyMap<string, string> {
  const lines = head.split('\r\n').filter((line) => line.includes(':'))
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

/** As browsers and SDKs write names: quotes and line ends are percent-encoded, some clients use a backslash. */
function parameterOf(disposition: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(disposition)
  const value = found?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? found?.[2]
  return value?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')
}

function startsWith(bytes: Uint8Array, at: number, pattern: Uint8Array): boolean {
  return pattern.every((code, index) => bytes[at + index] === code)
}

/** Horspool's search: most of the bytes are never looked at. */
function find(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  const last = pattern.length - 1
  const skip = new Uint16Array(256).fill(pattern.length)
  for (let index = 0; index < last; index++) skip[pattern[index] as number] = last - index // within both
  for (let at = from; at + last < bytes.length; at += skip[bytes[at + last] as number] as number)
    if (startsWith(bytes, at, pattern)) return at
  return -1
}
