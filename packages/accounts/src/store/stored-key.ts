import type { Period } from './period.ts'

/** What a key may call: models, or the admin API. */
export const SCOPES = ['inference', 'admin'] as const

export type Scope = (typeof SCOPES)[number]

/** A key as the store has it, without its secret. Keys are never deleted, because usage refers to them. */
export interface StoredKey {
  /** `key_` and 16 letters and digits: the name of the key in records, which is not a secret. */
  readonly id: string
  /** The SHA-256 of its secret, in hexadecimal. */
  readonly digest: string
  /** How its secret begins, so that people recognize it. */
  readonly hint: string
  /** The secret before the last rotation, which is valid until a time. */
  readonly previous?: { readonly digest: string; readonly until: number } | undefined
  readonly name: string
  /** Whose key it is: a person, a team, a service. */
  readonly owner?: string | undefined
  readonly labels: { readonly [label: string]: string }
  readonly scopes: readonly Scope[]
  /** The models it may use: ids, or prefixes with a star; absent: all. */
  readonly models?: readonly string[] | undefined
  /** The providers it may use; absent: all. */
  readonly providers?: readonly string[] | undefined
  readonly limits: Limits
  /** Nano-dollars for each period. */
  readonly budgets: Budgets
  /** Whether bodies of its calls are stored; absent: they are not. */
  readonly bodies?: BodyPolicy | undefined
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly expiresAt?: number | undefined
  readonly disabled: boolean
  /** A revoked key is never valid again. */
  readonly revokedAt?: number | undefined
  /** Every change of any key has a higher number than all changes before. */
  readonly revision: number
}

/** The limits of one key, over all instances. Absent: no limit. */
export interface Limits {
  /** Per minute. */
  readonly requests?: number | undefined
  /** Of input and output, per minute. */
  readonly tokens?: number | undefined
  /** Calls at the same time. */
  readonly concurrent?: number | undefined
}

export type Budgets = { readonly [Name in Period]?: number | undefined }

/** How bodies of a key's calls are stored. */
export interface BodyPolicy {
  readonly days: number
  /** Regular expressions; what they match is replaced. */
  readonly redact: readonly string[]
}
