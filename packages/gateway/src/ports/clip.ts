import { DragomanError, type Loss } from '@dragoman/core'

/** The bytes of a mark, and of the longest escape of a character in JSON. */
const MARK_ROOM = 24
const LONGEST_ESCAPE = 6

/**
 * Shortens a text to at most `limit` bytes of JSON in UTF-8. A mark at its end counts the omitted characters. Reads at most `limit`
 * characters of the text.
 */
export function clip(text: string, limit: number): string {
  if (text.length * LONGEST_ESCAPE <= limit) return text
  let size = 0
  let end = 0
  for (let i = 0; i < text.length; i++) {
    size += sizeOf(text.charCodeAt(i))
    if (size <= limit - MARK_ROOM) end = i + 1
    if (size > limit) return cut(text, end)
  }
  return text
}

/** A path with dots between its keys, shortened. */
export function clipPath(path: Loss['path'], limit: number): string {
  let text = ''
  for (let i = 0; i < path.length; i++) {
    if (text.length > limit) return clip(`${text}.[${path.length - i} more keys]`, limit)
    const key = path[i] ?? ''
    text += (i === 0 ? '' : '.') + (typeof key === 'number' ? key : clip(key, limit))
  }
  return clip(text, limit)
}

/** The path of a loss, shortened: in the caller's own body, or in the IR for losses that have none there. */
export function clipLossPath({ path, wirePath }: Loss & { readonly wirePath?: string }, limit: number): string {
  return wirePath === undefined ? clipPath(path, limit) : clip(wirePath, limit)
}

/** The first items of a list, and the number of the others. */
export function clipList<T>(list: readonly T[], limit: number, write: (item: T) => string): readonly string[] {
  if (list.length <= limit) return list.map(write)
  return [...list.slice(0, limit).map(write), `[${list.length - limit} more]`]
}

const MESSAGE_LIMIT = 4096
const PARAM_LIMIT = 512
const CODE_LIMIT = 128

/** Shortens the texts of an error, which may repeat what a caller or an upstream wrote. Secrets must be removed before. */
export function clipError(error: DragomanError): DragomanError {
  const message = clip(error.message, MESSAGE_LIMIT)
  const param = error.param === undefined ? undefined : clip(error.param, PARAM_LIMIT)
  const code = error.code === undefined ? undefined : clip(error.code, CODE_LIMIT)
  if (message === error.message && param === error.param && code === error.code) return error
  const { kind, details, retryAfter, retry, cause } = error
  return new DragomanError(kind, message, { param, code, details, retryAfter, retry, cause })
}

/** Does not split a surrogate pair. */
function cut(text: string, end: number): string {
  const before = text.charCodeAt(end - 1)
  const kept = before >= 0xd800 && before <= 0xdbff ? end - 1 : end
  return `${text.slice(0, kept)}[${text.length - kept} more]`
}

/** The size of a character in JSON, in bytes. A lone surrogate is escaped. */
function sizeOf(code: number): number {
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return LONGEST_ESCAPE
  if (code === 0x22 || code === 0x5c) return 2
  return code < 0x80 ? 1 : 3
}
