import { hmacSha256 } from '../lib/sha256.ts'
import { DragomanError } from '../ir/error.ts'
import type { Auth } from './definition.ts'
import { wrongOption } from './options.ts'
import type { Call, Fields } from './transport.ts'

/** How calls of a provider carry its keys. */
interface Credentials {
  /** The header with the next key or the requested one, and a callback for its result. */
  take(wanted: number | undefined): TakenCredential
  /** The number of keys that are not paused. */
  awake(): number
  /** What must not appear in a text of the upstream, and the form of tokens, which must not either. */
  readonly secrets: readonly string[]
  readonly token?: RegExp
}

interface TakenCredential extends Pick<Call, 'key' | 'answered'> {
  readonly header: Fields
}

const NONE: Credentials = { take: () => ({ header: {} }), awake: () => 0, secrets: [] }

/** `now` is in Unix milliseconds. */
export function createCredentials(auth: Auth | undefined, keys: readonly string[], now: () => number): Credentials {
  if (auth === undefined || keys.length === 0) return { ...NONE, secrets: keys }
  const { header, prefix = '', sign } = auth
  if (sign !== undefined) checkPairs(keys)
  const ring = createKeyRing(keys, now)
  const valueOf = sign === undefined ? (key: string) => key : createSignedTokens(now)
  return {
    take(wanted) {
      const { secret, index, answered } = ring.take(wanted)
      return { header: { [header]: `${prefix}${valueOf(secret)}` }, key: index, answered }
    },
    awake: () => ring.awake(),
    ...(sign === undefined ? { secrets: keys } : { secrets: keys.flatMap(withHalves), token: TOKEN }),
  }
}

function checkPairs(keys: readonly string[]): void {
  for (const pair of keys.map(pairOf))
    if (pair?.access === '' || pair?.secret === '')
      throw wrongOption('keys', 'must have the form "<access key>:<secret key>"')
}

/** The halves of a key are secrets too. */
function withHalves(key: string): readonly string[] {
  const pair = pairOf(key)
  return pair === undefined ? [key] : [key, pair.access, pair.secret]
}

/** A key for one call. */
interface TakenKey {
  readonly secret: string
  /** The index of the key. */
  readonly index: number
  /** The upstream's status for it. */
  readonly answered: (status: number, header: (name: string) => string | undefined) => void
}

interface KeyRing {
  /** The next key, or the requested one. */
  take(wanted?: number): TakenKey
  /** The number of keys that are not paused. */
  awake(): number
}

/** Keys in rotation. A key that was refused or is over its limit is paused while others are available; if all are paused, the next is used. */
export function createKeyRing(secrets: readonly string[], now: () => number): KeyRing {
  const keys = secrets.map((secret) => ({ secret, restsUntil: 0 }))
  let next = 0
  return {
    take(wanted) {
      const index = wanted !== undefined && keys[wanted] !== undefined ? wanted : nextIndex()
      return {
        secret: keys[index]?.secret ?? '',
        index,
        answered(status, header) {
          const key = keys[index]
          const rest = restOf(status, header)
          if (key !== undefined && rest > 0) key.restsUntil = now() + rest
        },
      }
    },
    awake: () => keys.filter(({ restsUntil }) => restsUntil <= now()).length,
  }

  function nextIndex(): number {
    const time = now()
    const order = keys.map((_key, index) => (next + index) % keys.length)
    const awake = order.find((index) => until(index) <= time)
    const index = awake ?? order.toSorted((one, other) => until(one) - until(other))[0] ?? 0
    next = (index + 1) % keys.length
    return index
  }

  function until(index: number): number {
    return keys[index]?.restsUntil ?? 0
  }
}

/** Milliseconds. */
const REST_OF_REFUSED = 5 * 60_000
const REST_OF_LIMITED = 10_000
const LONGEST_REST = 60 * 60_000

function restOf(status: number, header: (name: string) => string | undefined): number {
  // A key without credit, and one that is refused. A 403 can be about the model.
  if (status === 401 || status === 402) return REST_OF_REFUSED
  if (status !== 429) return 0
  const asked = Number(header('retry-after-ms') ?? Number.NaN) || Number(header('retry-after') ?? Number.NaN) * 1000
  return asked > 0 ? Math.min(asked, LONGEST_REST) : REST_OF_LIMITED
}

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

/** Gives the value that is sent for a key: a token signed with it. A key that is not a pair is sent as it is. */
type SentValue = (key: string) => string

/** Keeps the token of each key until shortly before it expires. `now` is in Unix milliseconds. */
function createSignedTokens(now: () => number): SentValue {
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
function pairOf(key: string): KeyPair | undefined {
  const colon = key.indexOf(':')
  return colon < 0 ? undefined : { access: key.slice(0, colon), secret: key.slice(colon + 1) }
}

/** Matches tokens that an upstream may repeat in an error. */
const TOKEN = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g

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

/** Removes secrets from a text. */
export type Redact = (text: string) => string

/**
 * Shorter values are not treated as secrets: a key of a few characters hides nothing, and removing the `blue` of `x-team: blue` from
 * every text would make an upstream's errors unreadable.
 */
const SHORTEST_SECRET = 8

/** The secrets of a provider: its keys and the header values of its operator, which an upstream may repeat. */
export function secretsOf(keys: readonly string[], headers: Fields): readonly string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^(bearer|basic|token) +/i, '')])
  return [...keys, ...values].filter(({ length }) => length >= SHORTEST_SECRET)
}

/** Removes secrets from text of an upstream. `form` matches secrets that are made for each call. */
export function createRedact(secrets: readonly string[], form?: RegExp): Redact {
  const longestFirst = [...new Set(secrets)].filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length)
  return (text) => {
    const formless = form === undefined ? text : text.replaceAll(form, '[secret]')
    return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), formless)
  }
}

/** The same error without secrets that an upstream may have put into its message. */
export function redactError(error: DragomanError, redact: Redact): DragomanError {
  const { kind, message, param, code, details, retryAfter, retry, cause } = error
  const cleaned = (value: string | readonly string[]) => (typeof value === 'string' ? redact(value) : value.map(redact))
  const clean = details && Object.entries(details).map(([key, value]) => [key, cleaned(value)] as const)
  return new DragomanError(kind, redact(message), {
    param: param && redact(param),
    code: code && redact(code),
    details: clean && Object.fromEntries(clean),
    retryAfter,
    retry,
    cause: cleanCause(cause, redact),
  })
}

function cleanCause(cause: unknown, redact: Redact): unknown {
  if (DragomanError.isInstance(cause)) return redactError(cause, redact)
  if (!(cause instanceof Error)) return undefined
  return redact(cause.message) === cause.message ? cause : new Error(redact(cause.message))
}
