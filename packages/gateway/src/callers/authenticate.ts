import { DragomanError } from '@dragoman/core'
import type { Caller, Keys } from '../ports/ports.ts'
import type { Awaitable } from '../ports/when-there.ts'

/** The caller of one of these secrets. The error is the same for every wrong secret and never repeats any part of it. */
export async function authenticate(
  keys: Keys,
  secrets: readonly string[],
  address: string | undefined,
): Promise<Caller> {
  return known(await findCounted(keys, secrets, address))
}

export function known(caller: Caller | undefined): Caller {
  if (caller !== undefined) return caller
  throw new DragomanError('authentication', 'The API key is not valid.')
}

/** Without a valid secret, each of them counts as a guess, wherever it is sent to. A caller that is known is found at once. */
export function findCounted(
  keys: Keys,
  secrets: readonly string[],
  address: string | undefined,
): Awaitable<Caller | undefined> {
  try {
    const found = findCaller(keys, secrets, address)
    return found instanceof Promise || found === undefined ? countGuesses(keys, secrets, address, found) : found
  } catch (thrown) {
    return countRefused(keys, secrets, address, thrown)
  }
}

async function countGuesses(
  keys: Keys,
  secrets: readonly string[],
  address: string | undefined,
  found: Promise<Caller | undefined> | undefined,
): Promise<Caller | undefined> {
  try {
    const caller = await found
    if (caller !== undefined) return caller
  } catch (thrown) {
    return countRefused(keys, secrets, address, thrown)
  }
  if (secrets.length > 0) await keys.onWrong?.(address, secrets.length)
  return undefined
}

async function countRefused(
  keys: Keys,
  secrets: readonly string[],
  address: string | undefined,
  thrown: unknown,
): Promise<never> {
  if (isOfTheKey(thrown)) await keys.onWrong?.(address, secrets.length)
  throw thrown
}

function findCaller(keys: Keys, secrets: readonly string[], address: string | undefined): ReturnType<Keys['find']> {
  const [first] = secrets
  if (first === undefined) return undefined
  return secrets.length === 1 ? keys.find(first, address) : findAmong(keys, secrets, address)
}

/** Secrets that are in use come first, and alone: others beside a valid one are not tried, because they would not count as guesses. */
async function findAmong(
  keys: Keys,
  secrets: readonly string[],
  address: string | undefined,
): Promise<Caller | undefined> {
  const used = secrets.filter((secret) => keys.isInUse?.(secret) === true)
  const others = secrets.filter((secret) => !used.includes(secret))
  try {
    const caller = await findFirst(keys, used, address)
    if (caller !== undefined) return caller
  } catch (thrown) {
    const caller = await findFirst(keys, others, address)
    if (caller !== undefined) return caller
    throw thrown
  }
  return findFirst(keys, others, address)
}

/** Keys that are found at once come first: a placeholder in another header must not delay them. */
async function findFirst(
  keys: Keys,
  secrets: readonly string[],
  address: string | undefined,
): Promise<Caller | undefined> {
  const searches: Promise<Caller | undefined>[] = []
  for (const secret of secrets) {
    const found = keys.find(secret, address)
    if (found instanceof Promise) searches.push(found)
    else if (found !== undefined) {
      for (const search of searches) search.catch(() => undefined) // its result does not matter any more
      return found
    }
  }
  const results = await Promise.allSettled(searches)
  for (const result of results) if (result.status === 'fulfilled' && result.value !== undefined) return result.value
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (reasons.length > 0) throw reasons.find((reason) => !isOfTheKey(reason)) ?? reasons[0]
  return undefined
}

/** Whether a key is wrong, and not the store unreachable. */
function isOfTheKey(thrown: unknown): boolean {
  return DragomanError.isInstance(thrown) && thrown.kind === 'authentication'
}
