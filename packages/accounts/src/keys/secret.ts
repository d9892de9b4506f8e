/** How a secret of ours begins, for people and for scanners of leaked secrets. */
export const PREFIX = 'dgm_'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECK_LENGTH = 6
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`)

/** A new secret: the prefix, 32 random letters and digits, and 6 check digits, which catch typos without a look into the store. */
export function createSecret(): string {
  const text = PREFIX + randomText(RANDOM_LENGTH)
  return text + checkDigits(text)
}

/** Whether a text is a whole secret, one of ours that was mistyped or cut, or something else. */
export function checkSecret(text: string): 'whole' | 'mistyped' | 'other' {
  if (!text.startsWith(PREFIX)) return 'other'
  const body = text.slice(0, -CHECK_LENGTH)
  return FORM.test(text) && text.slice(-CHECK_LENGTH) === checkDigits(body) ? 'whole' : 'mistyped'
}

/** The beginning of a secret, by which people recognize it. The rest cannot be guessed from it. */
export function hintOf(secret: string): string {
  return secret.slice(0, PREFIX.length + 4)
}

/** Random letters and digits, all equally likely. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // The bytes above would make the first letters more likely.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return text
}

/** The SHA-256 of a text, in hexadecimal. A secret is long and random, so no slower digest is needed. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function checkDigits(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let digit = 0; digit < CHECK_LENGTH; digit++) {
    digits = (ALPHABET[rest % ALPHABET.length] ?? '') + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

/** CRC-32 as in zip files and in the tokens of code hosts. */
function crc32(text: string): number {
  let crc = ~0
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return ~crc >>> 0
}
