import { parsePattern } from '../patterns/parse.ts'
import { replaceMatches } from '../patterns/pattern.ts'
import type { BodyPolicy } from '../store/stored-key.ts'

/** Makes a body fit to be stored: without media, and without what an operator or we take for a secret. */
export type Redact = (body: Uint8Array) => Promise<string>

/** Larger bodies are cut before anything else is done with them. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_CHARACTERS = 1024 * 1024
/** Base64, with the beginning of a data URL if there is one. */
const MEDIA = /(?:data:[\w.+-]+\/[\w.+-]+(?:;[\w.=-]+)*;base64,)?[\w+/-]{256,}={0,2}/g
/** API keys of this gateway and of providers. */
const SECRETS = /\b(?:dgm_[0-9A-Za-z]{8,}|sk-[\w-]{16,}|AIza[\w-]{30,}|gsk_\w{16,}|xai-[\w-]{16,})/g
const REDACTED = '[redacted]'

/**
 * Throws if an expression of the policy cannot be searched for in linear time: then nothing can be stored. What the expressions are and what
 * callers write cannot stop other calls: `pause` is awaited about every millisecond.
 */
export function createRedact({ redact }: BodyPolicy, pause: () => Promise<void>): Redact {
  const patterns = redact.map(parsePattern)
  return async (body) => {
    const isCut = body.length > MOST_BYTES
    let text = new TextDecoder().decode(isCut ? body.subarray(0, MOST_BYTES) : body)
    text = text.replace(MEDIA, (media) => `[media: ${sizeOf(media)} bytes]`).replace(SECRETS, REDACTED)
    for (const pattern of patterns) text = await replaceMatches(pattern, text, REDACTED, pause)
    const rest = isCut ? `[cut off: ${body.length} bytes in all]` : ''
    const kept = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}[cut off]` : text
    return `${kept.toWellFormed().replaceAll('\0', '')}${rest}`
  }
}

function sizeOf(media: string): number {
  const data = media.slice(media.indexOf(',') + 1).replace(/=+$/, '')
  return Math.floor((data.length * 3) / 4)
}
