import type { Environment, EnvironmentNames, ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf as ofAnthropic } from '@dragoman/provider-anthropic/environment'
import { variablesOf as ofGoogle } from '@dragoman/provider-google/environment'
import { variablesOf as ofKling } from '@dragoman/provider-kling/environment'
import { variablesOf as ofCompatible } from '@dragoman/provider-openai-compatible/environment'
import { variablesOf as ofOpenAI } from '@dragoman/provider-openai/environment'

/** A package of providers. */
interface ProviderPackage {
  /** The variables that enable each of them, by name. */
  readonly variables: { readonly [provider: string]: EnvironmentNames }
  readonly load: () => Promise<readonly ProviderDefinition[]>
}

/** Every provider that this server knows. A package is loaded when one of its providers is used, because cards and quirks are large. */
const PACKAGES: readonly ProviderPackage[] = [
  { variables: ofOpenAI, load: async () => [(await import('@dragoman/provider-openai')).openai] },
  { variables: ofAnthropic, load: async () => [(await import('@dragoman/provider-anthropic')).anthropic] },
  { variables: ofGoogle, load: async () => [(await import('@dragoman/provider-google')).google] },
  { variables: ofKling, load: async () => [(await import('@dragoman/provider-kling')).kling] },
  { variables: ofCompatible, load: async () => (await import('@dragoman/provider-openai-compatible')).vendors },
]

export const knownProviders: readonly string[] = PACKAGES.flatMap(({ variables }) => Object.keys(variables))

/** The known providers with a key or an address in the environment. */
export function mentionedProviders(environment: Environment): readonly string[] {
  return PACKAGES.flatMap(({ variables }) =>
    Object.entries(variables)
      .filter(([, { keys = [], baseURL = [] }]) =>
        [keys, baseURL].flat(2).some((name) => (environment[name] ?? '') !== ''),
      )
      .map(([name]) => name),
  )
}

/** The definition of a known provider; undefined for any other name. */
export async function loadDefinition(name: string): Promise<ProviderDefinition | undefined> {
  const from = PACKAGES.find(({ variables }) => Object.hasOwn(variables, name))
  return (await from?.load())?.find((definition) => definition.name === name)
}
