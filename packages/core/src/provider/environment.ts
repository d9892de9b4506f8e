import type { ProviderDefinition } from './definition.ts'
import type { ProviderOptions } from './options.ts'
import { defineProvider, type Provider } from './provider.ts'

/** Variables by name; `process.env` is one, but this package never asks for it. */
export type Environment = { readonly [name: string]: string | undefined }

/**
 * The options that an environment holds for a provider; undefined when it holds neither a key nor a base URL, which means that
 * the operator does not use it. Models beyond the known ones are in `DRAGOMAN_<PROVIDER>_MODELS`, with commas between.
 */
export function readEnvironment(
  environment: Environment,
  { name, environment: names = {} }: Pick<ProviderDefinition, 'name' | 'environment'>,
): ProviderOptions | undefined {
  const keys = [names.keys ?? []].flat().map((variable) => listOf(environment[variable]))
  const given = keys.find((list) => list.length > 0)
  const [baseURL] = names.baseURL === undefined ? [] : listOf(environment[names.baseURL])
  if (given === undefined && baseURL === undefined) return undefined
  const models = listOf(environment[`DRAGOMAN_${variableName(name)}_MODELS`])
  return {
    ...(given === undefined ? {} : { keys: given }),
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(models.length === 0 ? {} : { models }),
  }
}

/** The providers that an environment holds a key or a base URL for. */
export function enableProviders(
  environment: Environment,
  definitions: readonly ProviderDefinition[],
): readonly Provider[] {
  return definitions.flatMap((definition) => {
    const options = readEnvironment(environment, definition)
    return options === undefined ? [] : [defineProvider(definition, options)]
  })
}

/** `x-ai` is `X_AI` in a variable. */
export function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_')
}

/** What stands between commas. */
export function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
