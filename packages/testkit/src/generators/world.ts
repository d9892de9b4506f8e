/** The context of generated values: the protocol under test, and the domain of seals without an issuer. */
export interface World {
  readonly protocol: string
  readonly issuer: string
}

/** A protocol and a seal domain that are unknown to the one under test. */
export const FOREIGN = { protocol: 'elsewhere', issuer: 'elsewhere-seals' } satisfies World
