import { sha256 } from '../lib/sha256.ts'
import type { Losses } from './loss.ts'

/** An identifier of an end user for an upstream that refuses the given one: it is still the same for the same user. */
export function hashedUser(user: string, losses: Losses): string {
  const hash = sha256(user)
  losses.changed(['user'], hash, 'this upstream would refuse it: its SHA-256')
  return hash
}
