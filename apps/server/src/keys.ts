import { hash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ConfiguredKey } from '@dragoman/accounts'
import { listOf, type Environment } from '@dragoman/core/provider'
import type { Caller, Keys } from '@dragoman/gateway'
import { environmentMistake, type Mistake } from './config/mistakes.ts'
import { policyOf } from './config/routing-schema.ts'
import type { Config } from './config/schema.ts'
import { keptSecret } from './kept-secret.ts'
import { StartError } from './settings.ts'
import { VARIABLES } from './variables.ts'

export interface ServerKeys {
  readonly keys: Keys
  /** Their owners, limits and budgets, by the ids of callers. */
  readonly configured: ReadonlyMap<string, ConfiguredKey>
  /** The local key, which its owner may see; absent if the operator has set keys. */
  readonly local?: string
}

/** The keys of `DRAGOMAN_KEYS`, or else those of the file, or else a local key that is kept across restarts. */
export function loadKeys(environment: Environment, { keys: configured = [] }: Config, dataFolder: string): ServerKeys {
  const given = listOf(environment[VARIABLES.keys]).map((secret, index) => ({ name: `key-${index + 1}`, secret }))
  if (given.length > 0) return keysOf(given)
  if (configured.length > 0) return keysOf(configured)
  const local = readOrMake(dataFolder)
  return { ...keysOf([{ name: 'local', secret: local }]), local }
}

/** Keys that could be guessed are mistakes. Those that are given as digests cannot be checked. */
export function checkKeys(environment: Environment, { keys = [] }: Config, mistakes: Mistake[]): void {
  for (const [index, { secret }] of keys.entries())
    if (secret !== undefined && isShort(secret))
      mistakes.push({ path: ['keys', index, 'secret'], reason: `is too short: ${NEEDS}` })
  for (const [index, secret] of listOf(environment[VARIABLES.keys]).entries())
    if (isShort(secret))
      mistakes.push(environmentMistake(`${VARIABLES.keys} has a key that is too short, key-${index + 1}: ${NEEDS}.`))
}

const SHORTEST = 16
const NEEDS = `a key needs at least ${SHORTEST} characters, such as those of openssl rand -hex 24`

function isShort(secret: string): boolean {
  return secret.length < SHORTEST
}

function keysOf(entries: readonly Entry[]): ServerKeys {
  return { keys: createKeys(entries), configured: new Map(entries.map((entry) => [entry.name, termsOf(entry)])) }
}

/** Null means no limit, like an absent member. */
function termsOf({ owner, limits = {}, budgets = {} }: Entry): ConfiguredKey {
  const { requestsPerMinute, tokensPerMinute, concurrent } = limits
  const { day, week, month, total } = budgets
  return {
    owner,
    limits: {
      requests: requestsPerMinute ?? undefined,
      tokens: tokensPerMinute ?? undefined,
      concurrent: concurrent ?? undefined,
    },
    budgets: { day: day ?? undefined, week: week ?? undefined, month: month ?? undefined, total: total ?? undefined },
  }
}

type Entry = NonNullable<Config['keys']>[number]

/** Keys are stored as digests, and lookups use a digest too, so the time of a lookup reveals nothing about any key. */
function createKeys(entries: readonly Entry[]): Keys {
  const callers = new Map<string, Caller>()
  for (const { name, secret = '', sha256, owner, models, providers, routing, scopes, explainAll } of entries) {
    const digest = sha256?.toLowerCase() ?? hash('sha256', secret)
    callers.set(digest, {
      id: name,
      // Without an owner, the key itself is its owner, whatever its name is; the owner cannot be used as a key.
      owner: owner ?? hash('sha256', `owner ${digest}`).slice(0, 32),
      ...(models === undefined ? {} : { models }),
      ...(providers === undefined ? {} : { providers }),
      ...(routing === undefined ? {} : { routing: policyOf(routing) }),
      ...(explainAll === undefined ? {} : { explainsAll: explainAll }),
      ...(scopes === undefined ? {} : { admin: scopes.includes('admin'), inference: scopes.includes('inference') }),
    })
  }
  return { find: (secret) => callers.get(hash('sha256', secret)) }
}

function readOrMake(folder: string): string {
  let kept: string
  try {
    kept = keptSecret(folder, FILE, () => `sk-dragoman-${randomBytes(24).toString('base64url')}`)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown'
    throw new StartError(
      `The local key could not be stored in ${folder}: ${reason}. Set ${VARIABLES.data} or ${VARIABLES.keys}.`,
    )
  }
  if (/^[\w-]{16,}$/.test(kept)) return kept
  throw new StartError(`${join(folder, FILE)} does not contain a key. Delete it to create a new one.`)
}

const FILE = 'local-key'
