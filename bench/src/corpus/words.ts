const WORDS =
  'the gateway reads a request once and writes it in another language so that every client may speak to every model ' +
  'while the answer comes back word by word with its reasoning its calls and its counts “exactly” as they were said — no more'

const LIST = WORDS.split(' ')

/** The same words on every run. */
export function words(count: number, from = 0): string {
  return Array.from({ length: count }, (_none, index) => wordAt(from + index)).join(' ')
}

/** The same in ASCII: one other character makes V8 store, write and read a whole body at twice the size. */
export function plainWords(count: number, from = 0): string {
  return words(count, from).replaceAll(/[^ -~]/g, '-')
}

/** One word as a token of a stream, with the space before it. */
export function token(index: number): string {
  return ` ${wordAt(index)}`
}

function wordAt(index: number): string {
  return LIST[(index * 7) % LIST.length] ?? ''
}

/** Base64 of the given length that does not compress well. */
export function base64(length: number): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  let seed = 1
  let text = ''
  for (let i = 0; i < length; i++) {
    seed = (seed * 1103515245 + 12345) % 2147483648
    text += digits[seed >>> 25] ?? 'A'
  }
  return text
}
