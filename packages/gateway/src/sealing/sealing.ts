import { DragomanError, isObject, parseJson, type JsonObject } from '@dragoman/core'
import { decodeBase64Url, encodeBase64Url } from './base64url.ts'

/**
 * Seals small JSON values in tokens that callers keep for the gateway: only the gateway can read, change or make them. Every instance with
 * the same key can open them, also after a restart, so nothing has to be stored.
 */
export interface Sealing {
  /** A token of letters, digits, `-` and `_`. */
  seal(purpose: Purpose, value: JsonObject): Promise<string>
  /** Undefined if the token was not sealed for exactly this purpose, whatever the reason is. */
  open(purpose: Purpose, token: string): Promise<JsonObject | undefined>
}

/** What a token is for and what it is bound to, such as its owner. Not part of the token. */
export type Purpose = readonly [name: string, ...bound: string[]]

/** The first byte of a token. Another value is another format. */
const VERSION = 1
const NONCE = 12
const SHORTEST_KEY = 32

/** AES-256-GCM with keys that are derived from the given ones. The first key seals, all of them open: so keys can be replaced. */
export function createSealing(keys: readonly string[]): Sealing {
  if (keys.length === 0) throw new DragomanError('internal', 'There is no sealing key.')
  const tooShort = keys.findIndex((key) => key.length < SHORTEST_KEY)
  if (tooShort >= 0) throw new DragomanError('internal', `Sealing key ${tooShort + 1} is ${TOO_SHORT}.`)
  // Derived at the first use: an isolate may not compute anything before its first request.
  const derived = new Map<string, Promise<CryptoKey>>()
  const keyOf = (key: string): Promise<CryptoKey> => {
    const known = derived.get(key)
    if (known !== undefined) return known
    const made = deriveKey(key)
    derived.set(key, made)
    return made
  }
  return {
    async seal(purpose, value) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE))
      const parameters = { name: 'AES-GCM', iv, additionalData: boundBytes(purpose) }
      const text = UTF8.encode(JSON.stringify(value))
      const sealed = await crypto.subtle.encrypt(parameters, await keyOf(keys[0] as string), text) // there is a first one
      return encodeBase64Url(Uint8Array.from([VERSION, ...iv, ...new Uint8Array(sealed)]))
    },
    async open(purpose, token) {
      const bytes = decodeBase64Url(token)
      if (bytes?.[0] !== VERSION) return undefined
      const parameters = { name: 'AES-GCM', iv: bytes.slice(1, 1 + NONCE), additionalData: boundBytes(purpose) }
      const sealed = bytes.slice(1 + NONCE)
      // All keys are tried, even after one has opened it: the time shows nothing about the token.
      const texts = await Promise.all(
        keys.map(async (key) => crypto.subtle.decrypt(parameters, await keyOf(key), sealed).catch(() => undefined)),
      )
      const text = texts.find((each) => each !== undefined)
      const value = text === undefined ? undefined : parseJson(new TextDecoder().decode(text))
      return isObject(value) ? value : undefined
    },
  }
}

/** For error messages about configured keys. */
export const TOO_SHORT = `shorter than ${SHORTEST_KEY} characters`

const UTF8 = new TextEncoder()

function boundBytes(purpose: Purpose): Uint8Array<ArrayBuffer> {
  return UTF8.encode(JSON.stringify([VERSION, ...purpose]))
}

/** The configured key is only the material, of any length: nothing is sealed with it directly. */
async function deriveKey(key: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', UTF8.encode(key), 'HKDF', false, ['deriveKey'])
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: UTF8.encode('dragoman'), info: UTF8.encode('sealing') }
  return crypto.subtle.deriveKey(parameters, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
