import { DragomanError } from '@dragoman/core'
import type { Catalogues, Environment, Provider } from '@dragoman/core/provider'
import { fromEnvironment as anthropic } from '@dragoman/provider-anthropic'
import { variablesOf as ofAnthropic } from '@dragoman/provider-anthropic/environment'
import { fromEnvironment as google } from '@dragoman/provider-google'
import { variablesOf as ofGoogle } from '@dragoman/provider-google/environment'
import { fromEnvironment as kling } from '@dragoman/provider-kling'
import { variablesOf as ofKling } from '@dragoman/provider-kling/environment'
import { fromEnvironment as openai } from '@dragoman/provider-openai'
import { fromEnvironment as compatible } from '@dragoman/provider-openai-compatible'
import { variablesOf as ofCompatible } from '@dragoman/provider-openai-compatible/environment'
import { variablesOf as ofOpenAI } from '@dragoman/provider-openai/environment'
import { createSim } from '@dragoman/provider-sim'

/** One line each. */
const PACKAGES = [
  { variables: ofOpenAI, enable: openai },
  { variables: ofAnthropic, enable: anthropic },
  { variables: ofGoogle, enable: google },
  { variables: ofKling, enable: kling },
  { variables: ofCompatible, enable: compatible },
]

export const knownProviders: readonly string[] = PACKAGES.flatMap(({ variables }) => Object.keys(variables))

/**
 * Every provider whose key or address is in the bindings, and the simulator if it is asked for: a worker is reachable from the internet.
 * Wrong settings are added to the mistakes.
 */
export function enabledProviders(
  environment: Environment,
  sim: 'on' | 'off',
  mistakes: string[],
  catalogues: Catalogues = {},
): readonly Provider[] {
  const enabled = PACKAGES.flatMap(({ enable }) => {
    try {
      return enable(environment, catalogues)
    } catch (error) {
      if (!DragomanError.isInstance(error)) throw error
      mistakes.push(`A provider has a mistake: ${error.message.replace(/\.$/, '')}`)
      return []
    }
  })
  return sim === 'on' ? [createSim(), ...enabled] : enabled
}
