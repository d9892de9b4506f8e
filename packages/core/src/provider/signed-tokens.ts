import { hmacSha256 } from '../lib/sha256.ts'

/** The two halves of a key that signs tokens. */
interface KeyPair {
  readonly access: string
  readonly secret: string
}

/** Seconds that a token is valid; it is replaced some time before, because an upstream's clock may be ahead. */
const LIFETIME = 1800
const REPLACED_AFTER = 1500
/** Seconds that an upstream's clock may be behind. */
const TOLERANCE = 5

/** Gives the value that is sent for a key: a token signed with it. A key that is no pair is sent as it is. */
export type SentValue = (key: string) => string

/** Keeps the token of each key until shortly before it expires. `now` is in Unix milliseconds. */
export function createSignedTokens(now: () => number): SentValue {
  const tokens = new Map<string, { readonly token: string; readonly until: number }>()
  return (key) => {
    const pair = pairOf(key)
    if (pair === undefined) return key
    const seconds = Math.floor(now() / 1000)
    const known = tokens.get(key)
    // A clock that was set back would make a token that is not valid yet.
    if (known !== undefined && seconds < known.until && seconds >= known.until - REPLACED_AFTER) return known.token
    const token = signToken(pair, seconds)
    tokens.set(key, { token, until: seconds + REPLACED_AFTER })
    return token
  }
}

/** `<access key>:<secret key>`; undefined for a key without a colon. */
export function pairOf(key: string): KeyPair | undefined {
  const colon = key.indexOf(':')
  return colon < 0 ? undefined : { access: key.slice(0, colon), secret: key.slice(colon + 1) }
}

/** Matches tokens that an upstream may repeat in an error. */
export const TOKEN = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g

/** A JSON Web Token (RFC 7519), signed with HS256. */
function signToken({ access, secret }: KeyPair, seconds: number): string {
  const head = { alg: 'HS256', typ: 'JWT' }
  const claims = { iss: access, exp: seconds + LIFETIME, nbf: seconds - TOLERANCE }
  const text = [head, claims].map((part) => base64url(utf8(JSON.stringify(part)))).join('.')
  return `${text}.${base64url(hmacSha256(utf8(secret), utf8(text)))}`
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function base64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
