import { DragomanError } from '../ir/error.ts'
import { isStandardBase64 } from '../lib/base64.ts'
import { encodeBytes } from '../lib/base64-bytes.ts'
import { isObject, parseStrictJson, type JsonObject } from '../lib/json.ts'

/** The content of an envelope, and who has signed it. */
interface OpenedEnvelope {
  /** The signed bytes as text. */
  readonly content: string
  /** The id of the key whose signature fits. */
  readonly key: string
}

/** One signature of a content, with the id of its key. */
export interface Signature {
  readonly keyid: string
  readonly sig: string
}

/** Another kind of signed file cannot pass for a catalogue: the type is signed too. */
const TYPE = 'application/vnd.dragoman.catalogue+json'
/** Old and new keys of a publisher; more would only cost time. */
const MOST_SIGNATURES = 8
const UTF8 = new TextEncoder()

/**
 * Opens a signed file: an envelope of DSSE, the base64 of the exact bytes with signatures of them. One signature by one of the keys is
 * enough. Nothing of the content is looked at before. The error says what is wrong, without any of the content.
 */
export async function openEnvelope(text: string, keys: readonly CatalogueKey[]): Promise<OpenedEnvelope> {
  const { payload, signatures } = readEnvelope(text)
  const bytes = bytesOf(payload, 'payload')
  const message = signedBytes(bytes)
  const signed = signatures.flatMap(({ keyid, sig }) => {
    const key = keys.find(({ id }) => id === keyid)
    return key === undefined ? [] : [{ key, signature: bytesOf(sig, 'sig') }]
  })
  for (const { key, signature } of signed)
    if (await key.verify(signature, message)) return { content: textOf(bytes), key: key.id }
  const ids = (signed.length === 0 ? keys : signed.map(({ key }) => key)).map(({ id }) => id).join(', ')
  throw wrong(
    signed.length === 0
      ? `is not signed by a configured key (${ids})`
      : `has a signature that does not fit its content (${ids})`,
  )
}

/** Writes a signed file. */
export function writeEnvelope(content: string, signatures: readonly Signature[]): string {
  const envelope = { payloadType: TYPE, payload: encodeBytes(UTF8.encode(content)), signatures }
  return `${JSON.stringify(envelope, null, 2)}\n`
}

/** The bytes that are signed: the pre-authentication encoding of DSSE. */
export function signedBytes(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = UTF8.encode(`DSSEv1 ${TYPE.length} ${TYPE} ${content.length} `)
  const bytes = new Uint8Array(head.length + content.length)
  bytes.set(head)
  bytes.set(content, head.length)
  return bytes
}

/** Whether a text looks like a signed file. */
export function isEnvelope(text: string): boolean {
  const read = parseStrictJson(text, text.length)
  return 'value' in read && isObject(read.value) && 'payloadType' in read.value
}

function readEnvelope(text: string): { readonly payload: string; readonly signatures: readonly Signature[] } {
  const read = parseStrictJson(text, text.length)
  if ('problem' in read) throw wrong(read.problem)
  const { value } = read
  if (!isObject(value) || value['payloadType'] !== TYPE) throw wrong(`is not signed: its payloadType is not ${TYPE}`)
  const { payload, signatures } = value
  if (typeof payload !== 'string') throw wrong('has no payload')
  if (!Array.isArray(signatures) || signatures.length === 0) throw wrong('has no signatures')
  if (signatures.length > MOST_SIGNATURES) throw wrong(`has more than ${MOST_SIGNATURES} signatures`)
  return { payload, signatures: (signatures as JsonObject[]).map(signatureOf) } // each is checked there
}

function signatureOf(given: unknown): Signature {
  const { keyid, sig } = isObject(given) ? given : {}
  if (typeof keyid !== 'string' || typeof sig !== 'string') throw wrong('has a signature without keyid or sig')
  return { keyid, sig }
}

function bytesOf(base64: string, member: string): Uint8Array<ArrayBuffer> {
  if (!isStandardBase64(base64)) throw wrong(`has a ${member} that is not base64`)
  return bytesOfBase64(base64)
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw wrong('is not UTF-8', cause)
  }
}

function wrong(reason: string, cause?: unknown): DragomanError {
  return new DragomanError('invalid-request', reason, { cause })
}

/** A public key that signs catalogues. */
export interface CatalogueKey {
  /** The beginning of the SHA-256 digest of its 32 bytes, in hex: its name in signatures and log lines. */
  readonly id: string
  verify(signature: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<boolean>
}

export const ALGORITHM = 'Ed25519'
const BYTES = 32
/** The prefix of the 32 bytes in the form of OpenSSL (RFC 8410). */
const SPKI = '302a300506032b6570032100'
/** Points of small order: signatures for them can be forged. The first one is also the empty key. */
const WEAK: readonly string[] = ['00'.repeat(BYTES), `01${'00'.repeat(BYTES - 1)}`, `ec${'ff'.repeat(BYTES - 2)}7f`]

/** Reads a public key: the base64 of its 32 bytes, or of the form that `openssl pkey -pubout` writes, with or without its two lines. */
export async function readCatalogueKey(text: string): Promise<CatalogueKey> {
  const base64 = text.replaceAll(/-----(BEGIN|END) PUBLIC KEY-----|\s/g, '')
  if (base64 === '' || !isStandardBase64(base64)) throw wrong('must be a public key in base64')
  const bytes = bytesOfBase64(base64)
  const hex = hexOf(bytes)
  const isWrapped = hex.startsWith(SPKI) && bytes.length === SPKI.length / 2 + BYTES
  const raw = isWrapped ? bytes.slice(SPKI.length / 2) : bytes
  if (raw.length !== BYTES) throw wrong(`must be an Ed25519 public key, which has ${BYTES} bytes`)
  if (WEAK.includes(hexOf(raw))) throw wrong('is a weak key: signatures for it can be forged')
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
