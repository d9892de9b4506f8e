/** A text of words has about four characters per token. */
export const QUARTERS = 4
/** The number of characters of a string that are sampled. Strings can have megabytes, and most are of one kind. Shorter ones are words. */
const SAMPLES = 32
/** A longer text without spaces in its samples has no words. */
const WORDLESS = 64

/**
 * Small letters and spaces are the words of a text. Numbers, code, identifiers and base64 have more of the other characters than a text of words, and
 * about two characters per token.
 */
const IS_DENSE = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z \n]/.test(String.fromCharCode(code)) ? 0 : 1))
/** The share of these in a text of words. */
const USUAL = 1 / 8

const SPACE = 32
const PRIME = 7919

/** Estimates the tokens of a text. */
export function textTokens(text: string): number {
  return Math.ceil((textQuarters(text) + wideQuarters(text)) / QUARTERS)
}

/** The quarters of tokens of a text, without what its characters outside of ASCII need beside their length. */
export function textQuarters(text: string): number {
  const { length } = text
  if (length < SAMPLES) return length
  const step = Math.floor(length / SAMPLES)
  let dense = 0
  let hasWords = length < WORDLESS
  for (let index = 0; index < SAMPLES; index++) {
    // Each sample is at another offset of its step: lines and columns have steps too.
    const code = text.charCodeAt(index * step + (((index + 1) * PRIME) % step))
    // Languages with other letters may have no spaces.
    if (code === SPACE || code >= 128) hasWords = true
    else dense += IS_DENSE[code] as number // within the table
  }
  const share = hasWords ? dense / SAMPLES : 1
  return share <= USUAL ? length : Math.ceil(length * (1 + (share - USUAL) / (1 - USUAL)))
}

/** A character of three bytes, such as an ideograph, is a token or more; one of two bytes, such as a Cyrillic letter, half of one. */
const PER_BYTE = 2

/** The quarters that the characters of a text outside of ASCII need beside their length. */
export function wideQuarters(text: string): number {
  if (!/[^\0-\x7f]/.test(text)) return 0
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    // Two halves of a character have four bytes together.
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes * PER_BYTE
}

const ESCAPE = String.raw`\u`

/** The same for all strings of a JSON text at once, by its size. An escaped character has one token. */
export function wideQuartersOf(source: Uint8Array, text: string): number {
  let escapes = 0
  for (let at = text.indexOf(ESCAPE); at >= 0; at = text.indexOf(ESCAPE, at + 2)) escapes++
  return (source.length - text.length) * PER_BYTE + escapes * QUARTERS
}
