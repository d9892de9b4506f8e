/** Where generated values are at home: the protocol under test, and the domain of its bare seals. */
export interface World {
  readonly protocol: string
  readonly issuer: string
}

/** A protocol and a seal domain that the one under test does not know. */
export const FOREIGN = { protocol: 'elsewhere', issuer: 'elsewhere-seals' } satisfies World
