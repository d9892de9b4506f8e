import type { Environment } from '@dragoman/core/provider'
import { isOutside, readAccountSettings } from './account-settings.ts'
import { configuredSealingKeys } from './sealing.ts'
import type { Setup } from './setup.ts'
import { VARIABLES } from './variables.ts'

/**
 * Warnings about secrets that this instance has made for itself, although it shares its store with others: they would refuse what it has
 * accepted. Secrets are never kept in the database.
 */
export function ownSecretWarnings(
  environment: Environment,
  { config, settings, localKey }: Pick<Setup, 'config' | 'settings' | 'localKey'>,
): readonly string[] {
  if (!isOutside(readAccountSettings(environment, config, settings.dataFolder))) return []
  const own = (what: string, consequence: string, setting: string): string =>
    `the ${what} in ${settings.dataFolder} is only of this instance: with several instances, ${consequence}. Set ${setting}`
  const warnings: string[] = []
  if (localKey !== undefined)
    warnings.push(own('local key', 'the others refuse it', `${VARIABLES.keys}, or keys in the configuration file`))
  if (configuredSealingKeys(environment, config).length === 0) {
    const setting = `${VARIABLES.sealingKeys}, or server.sealingKeys in the configuration file`
    warnings.push(own('sealing key', 'a video is found only at the one that has made it', setting))
  }
  return warnings
}
