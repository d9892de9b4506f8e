import { DragomanError, type Head } from '@dragoman/core'
import { findCounted, known } from './authenticate.ts'
import type { Caller, Keys } from '../ports/ports.ts'
import { chain, type Awaitable } from '../ports/when-there.ts'

const LONGEST_SECRET = 512

/** Finds the caller of a credential, who may call models. */
export function admit(keys: Keys, head: Head, query: URLSearchParams): Awaitable<Caller> {
  const secrets = secretsOf(head, query)
  if (secrets.length === 0) {
    throw new DragomanError('authentication', 'No API key was given. Send it as "Authorization: Bearer <key>".')
  }
  return chain(findCounted(keys, secrets, head.address), mayCallModels)
}

function mayCallModels(found: Caller | undefined): Caller {
  const caller = known(found)
  if (caller.inference !== false) return caller
  throw new DragomanError('permission', 'This key may not call models.', { code: 'scope_missing' })
}

/** The caller of a credential that is not needed; undefined without a valid one. */
export function recognize(keys: Keys, head: Head, query: URLSearchParams): Awaitable<Caller | undefined> {
  return findCounted(keys, secretsOf(head, query), head.address)
}

/** The name that a caller is counted under: several keys of one owner are one caller. */
export function ownerIdOf(caller: Caller | undefined): string {
  return caller?.owner ?? caller?.id ?? ''
}

/** Whether the caller may use a model. Takes the id of the route, so that aliases cannot bypass it. */
export function isAllowed(caller: Caller | undefined, model: string): boolean {
  if (caller === undefined) return true
  const { models, providers } = caller
  if (models !== undefined && !models.some((pattern) => covers(pattern, model))) return false
  return providers === undefined || providers.includes(model.slice(0, model.indexOf('/')))
}

/** Whether the caller may use only some models. */
export function isRestricted(caller: Caller | undefined): boolean {
  return caller !== undefined && (caller.models !== undefined || caller.providers !== undefined)
}

export function notAllowed(model: string): DragomanError {
  return new DragomanError('permission', `This key may not use the model "${model}".`, {
    param: 'model',
    code: 'model_not_allowed',
  })
}

function covers(pattern: string, model: string): boolean {
  return pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : pattern === model
}

/** All keys of a request. SDKs put placeholders into some headers, so each key is tried. */
function secretsOf(head: Head, query: URLSearchParams): readonly string[] {
  const found: string[] = []
  const add = (secret: string | null | undefined): void => {
    const text = secret?.trim() ?? ''
    if (text !== '' && text.length <= LONGEST_SECRET && !found.includes(text)) found.push(text)
  }
  const authorization = head.header('authorization')
  if (authorization !== undefined && /^bearer /i.test(authorization)) add(authorization.slice(7))
  add(head.header('x-api-key'))
  add(head.header('x-goog-api-key'))
  add(query.get('key'))
  return found
}

/** A key with the caller that it finds. Its owner is derived from the secret, and its id is its name in logs and usage records. */
export interface KeyEntry extends Omit<Caller, 'owner'> {
  readonly secret: string
}

export interface MemoryKeys extends Keys {
  revoke(id: string): void
}

interface Known {
  readonly caller: Caller
  readonly digest: Uint8Array
}

/** Keys in memory, as digests. Without entries no caller is admitted. */
export function createMemoryKeys(entries: readonly KeyEntry[] = []): MemoryKeys {
  const ready = Promise.all(
    entries.map(async ({ secret, ...entry }): Promise<Known> => {
      const digest = await digestOf(secret)
      return { caller: { ...entry, owner: await ownerOf(hexOf(digest)) }, digest }
    }),
  )
  const revoked = new Set<string>()
  // Contains only correct secrets. A wrong one is not found by its hash, so it is compared with nothing.
  const seen = new Map<string, Caller>()
  const search = async (secret: string): Promise<Caller | undefined> => {
    const [known, digest] = await Promise.all([ready, digestOf(secret)])
    let match: Caller | undefined
    for (const candidate of known) if (isEqual(candidate.digest, digest)) match = candidate.caller
    if (match === undefined || revoked.has(match.id)) return undefined
    seen.set(secret, match)
    return match
  }
  return {
    find: (secret) => seen.get(secret) ?? search(secret),
    isInUse: (secret) => seen.has(secret),
    revoke(id) {
      revoked.add(id)
      for (const [secret, caller] of seen) if (caller.id === id) seen.delete(secret)
    },
  }
}

async function digestOf(secret: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret)))
}

/**
 * The owner of a key without an owner: the key itself, whatever its name is, because names may be given to other keys later. Takes the
 * SHA-256 of the key in hexadecimal, which cannot be computed from the owner.
 */
export async function ownerOf(sha256: string): Promise<string> {
  return hexOf(await digestOf(`owner ${sha256}`)).slice(0, 32)
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Compares all bytes, so that the time does not depend on the result. */
function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length
  for (let i = 0; i < left.length; i++) difference |= (left[i] ?? 0) ^ (right[i] ?? 0)
  return difference === 0
}
