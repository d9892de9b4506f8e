import { randomId } from '../ports/ports.ts'
import type { ShortBody } from './short-body.ts'

/** A form on the wire, in pieces, most of which are views. */
export interface WrittenForm {
  readonly body: readonly Uint8Array[]
  /** The content type, with the boundary. */
  readonly type: string
}

/** A boundary that no file contains. */
export function createBoundary(): string {
  return `dragoman-${randomId()}`
}

/** Writes a form whose files may have stand-ins. */
export async function writeForm(form: FormData, short: ShortBody, boundary: string): Promise<WrittenForm> {
  const pieces: Uint8Array[] = []
  for (const [name, value] of form) {
    pieces.push(UTF8.encode(`--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"${headOf(value)}`))
    if (typeof value === 'string') pieces.push(UTF8.encode(short.restore(value)))
    else pieces.push(...short.fillFile(new Uint8Array(await value.arrayBuffer())))
    pieces.push(LINE_END)
  }
  pieces.push(UTF8.encode(`--${boundary}--\r\n`))
  return { body: pieces, type: `multipart/form-data; boundary=${boundary}` }
}

const UTF8 = new TextEncoder()
const LINE_END = UTF8.encode('\r\n')

function headOf(value: File | string): string {
  if (typeof value === 'string') return '\r\n\r\n'
  const type = value.type === '' ? 'application/octet-stream' : value.type
  return `; filename="${escaped(value.name)}"\r\ncontent-type: ${type}\r\n\r\n`
}

/** As the standard of forms says. */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
