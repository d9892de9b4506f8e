import { randomBytes } from 'node:crypto'
import { listOf, type Environment } from '@dragoman/core/provider'
import type { GatewayOptions } from '@dragoman/gateway'
import type { Config } from './config/schema.ts'
import { keptSecret } from './kept-secret.ts'
import { StartError } from './settings.ts'
import { VARIABLES } from './variables.ts'

const SHORTEST = 32
const SET_AT = `${VARIABLES.sealingKeys}, or server.sealingKeys in the configuration file`

/**
 * The keys that seal the names of operations: those of the environment, or else those of the file, or else one that is kept in the data
 * folder. Without any, because that folder cannot be written, videos are refused.
 */
export function loadSealing(
  environment: Environment,
  { server = {} }: Config,
  dataFolder: string,
): Pick<GatewayOptions, 'sealingKeys' | 'sealingAt'> {
  const configured = configuredSealingKeys(environment, { server })
  const name = listOf(environment[VARIABLES.sealingKeys]).length > 0 ? VARIABLES.sealingKeys : 'server.sealingKeys'
  if (configured.some((key) => key.length < SHORTEST))
    throw new StartError(`${name} must have keys of at least ${SHORTEST} characters.`)
  if (configured.length > 0) return { sealingKeys: configured, sealingAt: SET_AT }
  const kept = readOrMake(dataFolder)
  if (kept === undefined) return { sealingAt: `${SET_AT}, or a data folder that can be written` }
  return { sealingKeys: [kept], sealingAt: SET_AT }
}

/** Those that the operator has set, for all instances. */
export function configuredSealingKeys(environment: Environment, { server }: Pick<Config, 'server'>): readonly string[] {
  const given = listOf(environment[VARIABLES.sealingKeys])
  return given.length > 0 ? given : (server?.sealingKeys ?? []).flatMap((keys) => listOf(keys))
}

function readOrMake(folder: string): string | undefined {
  try {
    const kept = keptSecret(folder, 'sealing-key', () => randomBytes(32).toString('base64url'))
    return kept.length < SHORTEST ? undefined : kept
  } catch {
    // A server with configured keys of callers needs no data folder for anything else.
    return undefined
  }
}
