import type { Caller, Keys } from '@dragoman/gateway'

/** The keys of a configuration, and which of them are in use. */
export interface OwnKeys {
  find(secret: string, address: string | undefined): Promise<Caller | undefined>
  /** A key that was found before. */
  findUsed: Keys['find']
  isInUse(secret: string): boolean
}

export function createOwnKeys(keys: Keys | undefined): OwnKeys {
  /** Only secrets that were right. */
  const used = new Set<string>()
  return {
    async find(secret, address) {
      const found = await keys?.find(secret, address)
      if (found !== undefined) used.add(secret)
      return found
    },
    findUsed: (secret, address) => (used.has(secret) ? keys?.find(secret, address) : undefined),
    isInUse: (secret) => used.has(secret),
  }
}
