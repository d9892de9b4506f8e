import { DragomanError } from '../ir/error.ts'
import { isStandardBase64 } from '../lib/base64.ts'

/** A public key that signs catalogues. */
export interface CatalogueKey {
  /** The beginning of the SHA-256 digest of its 32 bytes, in hex: what signatures and log lines call it. */
  readonly id: string
  verify(signature: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<boolean>
}

export const ALGORITHM = 'Ed25519'
const BYTES = 32
/** What is before the 32 bytes in the form of OpenSSL (RFC 8410). */
const SPKI = '302a300506032b6570032100'
/** Points whose order is small: anybody can sign for them. The first one is also what an empty key looks like. */
const WEAK: readonly string[] = ['00'.repeat(BYTES), `01${'00'.repeat(BYTES - 1)}`, `ec${'ff'.repeat(BYTES - 2)}7f`]

/** Reads a public key: the base64 of its 32 bytes, or of the form that `openssl pkey -pubout` writes, with or without its two lines. */
export async function readCatalogueKey(text: string): Promise<CatalogueKey> {
  const base64 = text.replaceAll(/-----(BEGIN|END) PUBLIC KEY-----|\s/g, '')
  if (base64 === '' || !isStandardBase64(base64)) throw wrongKey('must be a public key in base64')
  const bytes = bytesOfBase64(base64)
  const hex = hexOf(bytes)
  const isWrapped = hex.startsWith(SPKI) && bytes.length === SPKI.length / 2 + BYTES
  const raw = isWrapped ? bytes.slice(SPKI.length / 2) : bytes
  if (raw.length !== BYTES) throw wrongKey(`must be an Ed25519 public key, which has ${BYTES} bytes`)
  if (WEAK.includes(hexOf(raw))) throw wrongKey('is not the key of anybody: everybody could sign for it')
  const key = await crypto.subtle.importKey('raw', raw, ALGORITHM, true, ['verify'])
  return {
    id: await keyIdOf(raw),
    verify: (signature, message) => crypto.subtle.verify(ALGORITHM, key, signature, message),
  }
}

/** The id of a key with these 32 bytes. */
export async function keyIdOf(raw: Uint8Array<ArrayBuffer>): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', raw))).slice(0, 16)
}

/** The bytes of standard base64. */
export function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function wrongKey(reason: string): DragomanError {
  return new DragomanError('invalid-request', reason)
}
