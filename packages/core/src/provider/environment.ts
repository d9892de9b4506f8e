import { parseJson } from '../lib/json.ts'
import type { ProviderDefinition } from './definition.ts'
import { wrongOption, type CatalogueModels, type ProviderOptions } from './options.ts'
import { defineProvider, type Provider } from './provider.ts'

/** Variables by name, such as `process.env`, which this package never reads itself. */
export type Environment = { readonly [name: string]: string | undefined }

/**
 * The options of a provider in an environment; undefined if it has neither a key nor a base URL, because then the operator does not use
 * the provider. Additional models are in `DRAGOMAN_<PROVIDER>_MODELS`: names separated by commas, or a JSON list of names and cards.
 */
export function readEnvironment(
  environment: Environment,
  { name, environment: names = {} }: Pick<ProviderDefinition, 'name' | 'environment'>,
): ProviderOptions | undefined {
  const keys = [names.keys ?? []].flat().map((variable) => listOf(environment[variable]))
  const given = keys.find((list) => list.length > 0)
  const [baseURL] = names.baseURL === undefined ? [] : listOf(environment[names.baseURL])
  if (given === undefined && baseURL === undefined) return undefined
  const models = modelsIn(environment, `DRAGOMAN_${variableName(name)}_MODELS`)
  return {
    ...(given === undefined ? {} : { keys: given }),
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(models.length === 0 ? {} : { models }),
  }
}

/** The providers with a key or a base URL in an environment. */
export function enableProviders(
  environment: Environment,
  definitions: readonly ProviderDefinition[],
  catalogues: Catalogues = {},
): readonly Provider[] {
  return definitions.flatMap((definition) => {
    const options = readEnvironment(environment, definition)
    if (options === undefined) return []
    const catalogue = catalogueOf(catalogues, definition.name)
    return [defineProvider(definition, { ...options, ...catalogue })]
  })
}

/** What a signed catalogue states, by the name of the provider. */
export type Catalogues = { readonly [provider: string]: CatalogueModels }

/** The option of a provider with this name; empty if nothing is stated about it. */
export function catalogueOf(catalogues: Catalogues, name: string): Pick<ProviderOptions, 'catalogue'> {
  return Object.hasOwn(catalogues, name) ? { catalogue: catalogues[name] } : {}
}

/** The models in a variable: names separated by commas, or a JSON list of names and cards. */
export function modelsIn(environment: Environment, variable: string): NonNullable<ProviderOptions['models']> {
  const text = environment[variable] ?? ''
  if (!text.trimStart().startsWith('[')) return listOf(text)
  const models = parseJson(text)
  if (Array.isArray(models)) return models as NonNullable<ProviderOptions['models']> // checked with the other options
  throw wrongOption(variable, 'must be names separated by commas, or a JSON list of names and cards')
}

/** `x-ai` is `X_AI` in a variable. */
export function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_')
}

/** The values between commas. */
export function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
