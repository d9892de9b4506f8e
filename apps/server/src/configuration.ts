import { listOf, unknownVariables, type Environment, type KnownVariables } from '@dragoman/core/provider'
import { COMPATIBLE } from '@dragoman/provider-openai-compatible/environment'
import type { Catalogue } from '@dragoman/core/catalogue'
import { readAccountSettings, trustedProxies } from './account-settings.ts'
import { checkCatalogueKeys } from './catalogue/settings.ts'
import { createAddressOf } from './client-address.ts'
import { environmentMistake, refuseAll, type Mistake } from './config/mistakes.ts'
import type { InspectedConfig, ReadConfig } from './config/read.ts'
import type { Config } from './config/schema.ts'
import { knownProviders } from './known-providers.ts'
import { planSetup, type Plan } from './plan-setup.ts'
import type { Found } from './providers.ts'
import { configuredSealingKeys } from './sealing.ts'
import { VARIABLES } from './variables.ts'

/** A configuration without mistakes, of a file and of the environment. */
export interface Configuration extends ReadConfig {
  readonly file: string | undefined
  readonly plan: Plan
}

export interface ConfigurationOptions {
  readonly environment: Environment
  /** The configuration file, if there is one. */
  readonly file: string | undefined
  /** Its content, if that is known. */
  readonly text?: string | undefined
  /** The Ollama that was found. */
  readonly found?: Found | undefined
  /** The signed catalogue that was loaded. */
  readonly catalogue?: Catalogue | undefined
  /** The configuration that it is to replace. */
  readonly running?: ReadConfig | undefined
  /** Whether unknown variables that begin like ours are mistakes. A running server cannot remove a variable. */
  readonly isStart?: true
}

/** Reads a configuration. Throws all mistakes at once: of the file, of the environment, and of both together. */
export async function readConfiguration(options: ConfigurationOptions): Promise<Configuration> {
  const { environment, file, text, found, catalogue, running, isStart } = options
  const inspected = file === undefined ? NO_FILE : await inspect(file, environment, text)
  const { config, variables } = inspected
  const further: Mistake[] = []
  const wrong = (line: string): void => void further.push(environmentMistake(line))
  if (file !== undefined && running !== undefined) {
    const { checkReplacement } = await import('./config/replacement.ts')
    further.push(...checkReplacement(file, running, inspected))
  }
  const plan = await planSetup({ environment, file, config, found, catalogue, known: inspected.mistakes }, further)
  await checkCatalogueKeys(config, further)
  readAccountSettings(environment, config, plan.settings.dataFolder, wrong)
  createAddressOf(trustedProxies(environment, config), wrong)
  checkSealing(environment, config, further)
  await checkTelemetry(environment, wrong)
  if (isStart === true) {
    const packaged = Object.entries(config.providers ?? {}).flatMap(([name, entry]) =>
      typeof entry === 'object' && entry.package !== undefined ? [name] : [],
    )
    for (const line of unknownVariables(environment, {
      ...knownVariables(environment),
      mentioned: variables,
      packaged,
    }))
      wrong(line)
  }
  refuseAll(file, inspected.withFurther(further))
  return { config, text: inspected.text, file, plan }
}

const NO_FILE: InspectedConfig = {
  config: {},
  text: '',
  mistakes: [],
  variables: [],
  withFurther: (further) => further,
}

/** The modules that read and check files are loaded only if there is a file. */
async function inspect(file: string, environment: Environment, text: string | undefined): Promise<InspectedConfig> {
  const { inspectConfig } = await import('./config/read.ts')
  return inspectConfig(file, environment, text)
}

/** Variables of callers and commands that the documents name: the user who runs the server may have set them too. */
const OF_OTHERS = ['DRAGOMAN_KEY', 'DRAGOMAN_ADMIN_KEY']

function knownVariables(environment: Environment): KnownVariables {
  return {
    settings: [...Object.values(VARIABLES), ...OF_OTHERS, COMPATIBLE],
    providers: knownProviders,
    compatible: listOf(environment[COMPATIBLE]),
  }
}

function checkSealing(environment: Environment, config: Config, mistakes: Mistake[]): void {
  const isVariable = (environment[VARIABLES.sealingKeys] ?? '') !== ''
  const path = ['server', 'sealingKeys']
  configuredSealingKeys(environment, config, (line) =>
    mistakes.push(
      isVariable
        ? environmentMistake(line)
        : { path, reason: line.replace(`${path.join('.')} `, '').replace(/\.$/, '') },
    ),
  )
}

/** The module is loaded only if there is something to check. */
async function checkTelemetry(environment: Environment, wrong: (line: string) => void): Promise<void> {
  if (!Object.keys(environment).some((name) => name.startsWith('OTEL_'))) return
  const { readTelemetry } = await import('./telemetry/settings.ts')
  readTelemetry(environment, wrong)
}
