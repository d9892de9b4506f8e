import { many } from './shapes.ts'

const utf8 = new TextEncoder()
const whole = (text: string): readonly Uint8Array[] => [utf8.encode(text)]
const byBytes = (text: string): readonly Uint8Array[] =>
  many(text.length, (index) => utf8.encode(text.slice(index, index + 1)))

/** Bytes of event streams that any upstream can send, whatever its protocol, in chunks. */
export const LINES: { readonly [what: string]: (size: number) => readonly Uint8Array[] } = {
  'line feeds': (size) => whole('\n'.repeat(size)),
  'line feeds one by one': (size) => byBytes('\n'.repeat(size)),
  'carriage returns': (size) => whole('\r'.repeat(size)),
  'carriage returns one by one': (size) => byBytes('\r'.repeat(size)),
  'line feeds before a carriage return': (size) => whole(`${'\n'.repeat(size)}\r`),
  'carriage returns before a line feed': (size) => whole(`${'\r'.repeat(size)}\n`),
  'both in pairs': (size) => whole('\r\n'.repeat(size)),
  'comment lines': (size) => whole(':\n'.repeat(size)),
  'comment lines one by one': (size) => many(size, () => utf8.encode(':\n')),
  'lines of one event': (size) => whole(`${'data: 1\n'.repeat(size)}\n`),
  'a long line': (size) => whole(`data: {"x":"${'a'.repeat(size * 10)}"}\n\n`),
  'a long line byte by byte': (size) => byBytes(`data: {"x":"${'a'.repeat(size)}"}\n\n`),
  'a long line of other characters': (size) => byBytes(`data: {"x":"${'é'.repeat(size)}"}\n\n`),
  'a line without an end': (size) => byBytes('a'.repeat(size)),
}
