import type { Auth } from './definition.ts'
import { createKeyRing } from './key-ring.ts'
import { wrongOption } from './options.ts'
import { createSignedTokens, pairOf, TOKEN } from './signed-tokens.ts'
import type { Call, Fields } from './transport.ts'

/** How calls of a provider carry its keys. */
export interface Credentials {
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
