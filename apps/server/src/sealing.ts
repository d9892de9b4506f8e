import { randomBytes } from 'node:crypto'
import { listOf, type Environment } from '@dragoman/core/provider'
import type { GatewayOptions } from '@dragoman/gateway'
import type { Config } from './config/schema.ts'
import { keptSecret } from './kept-secret.ts'
import { refuse, type Wrong } from './settings.ts'
import { VARIABLES } from './variables.ts'

const SHORTEST = 32
const SET_AT = `${VARIABLES.sealingKeys}, or server.sealingKeys in the configuration file`

/**
 * The keys that seal the names of operations: those of the environment, or else those of the file, or else one that is kept in the data
 * folder. Without any, because that folder cannot be written, videos are refused.
 */
export function loadSealing(
  environment: Environment,
  config: Config,
  dataFolder: string,
): Pick<GatewayOptions, 'sealingKeys' | 'sealingAt'> {
  const configured = configuredSealingKeys(environment, config)
  if (configured.length > 0) return { sealingKeys: configured, sealingAt: SET_AT }
  const kept = readOrMake(dataFolder)
  if (kept === undefined) return { sealingAt: `${SET_AT}, or a data folder that can be written` }
  return { sealingKeys: [kept], sealingAt: SET_AT }
}

/** The keys of the environment, or else those of the file. */
export function configuredSealingKeys(
  environment: Environment,
  { server = {} }: Pick<Config, 'server'>,
  wrong: Wrong = refuse,
): readonly string[] {
  const given = listOf(environment[VARIABLES.sealingKeys])
  const configured = given.length > 0 ? given : (server.sealingKeys ?? []).flatMap((keys) => listOf(keys))
  const name = given.length > 0 ? VARIABLES.sealingKeys : 'server.sealingKeys'
  if (configured.some((key) => key.length < SHORTEST))
    wrong(`${name} must have keys of at least ${SHORTEST} characters.`)
  return configured
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
