import { parseJson } from '../lib/json.ts'
import { nearNames } from '../lib/near.ts'
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

/** The variables with our prefix that an app reads. */
export interface KnownVariables {
  readonly settings: readonly string[]
  /** Providers that it knows: each has `DRAGOMAN_<PROVIDER>_MODELS`. */
  readonly providers: readonly string[]
  /** Providers that only variables describe. */
  readonly compatible: readonly string[]
  /** Providers that come in packages, which may read variables of their own. */
  readonly packaged?: readonly string[]
  /** Others that have a meaning. They are not suggested. */
  readonly mentioned?: readonly string[]
}

const PREFIX = 'DRAGOMAN_'
/** Kubernetes sets these for every service of the namespace, one named dragoman included. */
const SERVICE_LINK = /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?$/
const SERVICE_URL = /^(?:tcp|udp|sctp):\/\//

/** A line for each unknown variable that begins like ours, because a misspelled setting would have no effect. */
export function unknownVariables(
  environment: Environment,
  { settings, providers, compatible, packaged = [], mentioned = [] }: KnownVariables,
): readonly string[] {
  const variableOf = (provider: string, suffix: string): string => `${PREFIX}${variableName(provider)}_${suffix}`
  const names = [
    ...settings,
    ...providers.map((name) => variableOf(name, 'MODELS')),
    ...compatible.flatMap((name) => ['BASE_URL', 'API_KEY', 'MODELS', 'LIKE'].map((each) => variableOf(name, each))),
  ]
  const known = new Set([...names, ...mentioned])
  const own = packaged.map((name) => variableOf(name, ''))
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (!name.startsWith(PREFIX) || value === '' || known.has(name)) return []
    if (own.some((beginning) => name.startsWith(beginning))) return []
    if (SERVICE_LINK.test(name) || SERVICE_URL.test(value)) return []
    return [`${name} is unknown${suggestion(name, names)}`]
  })
}

/** The beginning, which all have, does not count. */
function suggestion(name: string, names: readonly string[]): string {
  const stripPrefix = (each: string): string => each.replace(PREFIX, '')
  const [near] = nearNames(stripPrefix(name), names.map(stripPrefix), 1)
  return near === undefined ? '' : `; did you mean "${names.find((each) => stripPrefix(each) === near)}"?`
}
