import { hash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { listOf, type Environment } from '@dragoman/core/provider'
import type { Caller, Keys } from '@dragoman/gateway'
import { policyOf } from './config/routing-schema.ts'
import type { Config } from './config/schema.ts'
import { keptSecret } from './kept-secret.ts'
import { StartError } from './settings.ts'
import { VARIABLES } from './variables.ts'

export interface ServerKeys {
  readonly keys: Keys
  /** The local key, which its owner may see; absent if the operator has set keys. */
  readonly local?: string
}

/** The keys of `DRAGOMAN_KEYS`, or else those of the file, or else a local key that is kept across restarts. */
export function loadKeys(environment: Environment, { keys: configured = [] }: Config, dataFolder: string): ServerKeys {
  const given = listOf(environment[VARIABLES.keys]).map((secret, index) => ({ name: `key-${index + 1}`, secret }))
  if (given.length > 0) return { keys: createKeys(given) }
  if (configured.length > 0) return { keys: createKeys(configured) }
  const local = readOrMake(dataFolder)
  return { keys: createKeys([{ name: 'local', secret: local }]), local }
}

type Entry = NonNullable<Config['keys']>[number]

/** Keys are stored as digests, and lookups use a digest too, so the time of a lookup reveals nothing about any key. */
function createKeys(entries: readonly Entry[]): Keys {
  const callers = new Map<string, Caller>()
  for (const { name, secret = '', sha256, models, routing, admin } of entries) {
    const digest = sha256?.toLowerCase() ?? hash('sha256', secret)
    callers.set(digest, {
      id: name,
      // The key itself, whatever its name is, and nothing that could be used as one.
      owner: hash('sha256', `owner ${digest}`).slice(0, 32),
      ...(models === undefined ? {} : { models }),
      ...(routing === undefined ? {} : { routing: policyOf(routing) }),
      ...(admin === undefined ? {} : { admin }),
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
