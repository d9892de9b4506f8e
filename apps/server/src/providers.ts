import { DragomanError } from '@dragoman/core'
import type { Catalogue } from '@dragoman/core/catalogue'
import {
  defineProvider,
  listOf,
  readEnvironment,
  type Environment,
  type ExtraModel,
  type Provider,
  type ProviderOptions,
} from '@dragoman/core/provider'
import { COMPATIBLE } from '@dragoman/provider-openai-compatible/environment'
import type { Mistake } from './config/mistakes.ts'
import { didYouMean } from '@dragoman/core/provider'
import type { Config, ProviderConfig } from './config/schema.ts'
import { knownProviders, loadDefinition, mentionedProviders } from './known-providers.ts'
import { ownDefinition } from './own-definition.ts'
import { PackageError } from './package-module.ts'
import { createFromPackage } from './provider-package.ts'
import { isSimWanted, simOf } from './simulator.ts'

type Entries = NonNullable<Config['providers']>

export interface ProviderSources {
  readonly environment: Environment
  readonly config: Config
  /** Known providers that were found by a search. */
  readonly found?: { readonly [provider: string]: Found } | undefined
  /** Larger requests are processed by another thread. */
  readonly inlineBytes: number
  /** The folder from which provider packages are resolved. */
  readonly folder: string
  /** The signed catalogue. */
  readonly catalogue?: Catalogue | undefined
}

export interface Found {
  readonly baseURL: string
  readonly models: readonly ExtraModel[]
}

/**
 * Every provider with a key or an address in the environment, and those of the configuration file, which takes precedence. The simulator is
 * among them if it is asked for, or if nothing else is configured. Mistakes are collected, and lines about what the catalogue states and
 * does not fit: such a provider is without it.
 */
export async function buildProviders(
  { environment, config: { providers: entries = {} }, found = {}, inlineBytes, folder, catalogue }: ProviderSources,
  mistakes: Mistake[],
  unfit: string[] = [],
): Promise<readonly Provider[]> {
  const mentioned = mentionedProviders(environment)
  const packaged = Object.keys(entries).filter((name) => entryOf(entries, name)?.package !== undefined)
  const known = knownProviders.filter((name) => !packaged.includes(name))
  const named = known.filter((name) => mentioned.includes(name) || name in entries || name in found)
  const own = Object.keys(entries).filter((name) => name !== 'sim' && ![...known, ...packaged].includes(name))
  const stated: Stated = (name, make) => makeStated(name, catalogue, make, unfit)
  const compatible = (await compatibleProviders(environment, stated, mistakes)).filter(({ name }) => !(name in entries))
  // A detected provider is not configured.
  const chosen = [...named.filter((name) => mentioned.includes(name) || name in entries), ...own, ...packaged]
  const isConfigured = compatible.length > 0 || chosen.some((name) => entryOf(entries, name)?.enabled !== false)
  const sim = entryOf(entries, 'sim')
  const built = [
    ...(isSimWanted(environment, sim, isConfigured, mistakes) ? [simOf(sim, inlineBytes, mistakes)] : []),
    ...(await Promise.all(
      named.map((name) => knownProvider(name, environment, entries, found[name], stated, mistakes)),
    )),
    ...compatible,
    ...(await Promise.all(own.map((name) => ownProvider(name, entries, stated, mistakes)))),
    ...(await Promise.all(
      packaged.map((name) => packagedProvider(name, entries, folder, environment, stated, mistakes)),
    )),
  ]
  return built.flatMap((provider) => provider ?? [])
}

/** Makes a provider with what the catalogue states about its models. */
type Stated = <Made>(name: string, make: (catalogue: Pick<ProviderOptions, 'catalogue'>) => Made) => Made

/** A provider that does not fit what the catalogue states is made without it. */
function makeStated<Made>(
  name: string,
  catalogue: Catalogue | undefined,
  make: (catalogue: Pick<ProviderOptions, 'catalogue'>) => Made,
  unfit: string[],
): Made {
  const { providers = {} } = catalogue ?? {}
  const models = Object.hasOwn(providers, name) ? providers[name] : undefined
  if (models === undefined) return make({})
  try {
    return make({ catalogue: models })
  } catch (error) {
    if (!DragomanError.isInstance(error) || error.param?.startsWith('catalogue.') !== true) throw error
    unfit.push(`providers.${name}: ${reasonOf(error)}`)
    return make({})
  }
}

function entryOf(entries: Entries, name: string): ProviderConfig | undefined {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  return typeof entry === 'boolean' ? { enabled: entry } : entry
}

/** These members are only for providers that are not known. */
const OWN = ['like', 'endpoints', 'auth', 'options'] as const

async function knownProvider(
  name: string,
  environment: Environment,
  entries: Entries,
  found: Found | undefined,
  stated: Stated,
  mistakes: Mistake[],
): Promise<Provider | undefined> {
  const definition = await loadDefinition(name)
  const entry = entryOf(entries, name)
  if (definition === undefined || entry?.enabled === false) return undefined
  for (const member of OWN)
    if (entry?.[member] !== undefined)
      mistakes.push({ path: ['providers', name, member], reason: `is for providers that are not known by name` })
  const { models: foundModels = [], ...foundOptions } = found ?? {}
  const read = fromVariables(name, () => ({ variables: readEnvironment(environment, definition) }), mistakes)
  if (read === undefined) return undefined
  const options = {
    ...foundOptions,
    ...read.variables,
    ...optionsOf(entry ?? {}, name, mistakes),
  }
  const all = { ...options, models: joinModels(options.models ?? [], foundModels) }
  const make = () => stated(name, (catalogue) => defineProvider(definition, { ...all, ...catalogue }))
  return entry === undefined ? fromVariables(name, make, mistakes) : define(name, make, mistakes)
}

/** Values in the file stay as written. */
function joinModels(given: NonNullable<ProviderOptions['models']>, found: readonly ExtraModel[]) {
  const names = new Set(given.map((model) => (typeof model === 'string' ? model : model.name)))
  return [...given, ...found.filter(({ name }) => !names.has(name))]
}

/** The providers in `DRAGOMAN_COMPATIBLE`. */
async function compatibleProviders(
  environment: Environment,
  stated: Stated,
  mistakes: Mistake[],
): Promise<readonly Provider[]> {
  const { [COMPATIBLE]: names = '' } = environment
  if (names === '') return []
  const { fromEnvironment } = await import('@dragoman/provider-openai-compatible')
  const only = Object.entries(environment).filter(([variable]) => variable.startsWith('DRAGOMAN_'))
  return listOf(names).flatMap((name) => {
    const own = { ...Object.fromEntries(only), [COMPATIBLE]: name }
    const make = () =>
      stated(name, ({ catalogue }) => fromEnvironment(own, catalogue === undefined ? {} : { [name]: catalogue }))
    return fromVariables(name, make, mistakes) ?? []
  })
}

async function ownProvider(
  name: string,
  entries: Entries,
  stated: Stated,
  mistakes: Mistake[],
): Promise<Provider | undefined> {
  const entry = entryOf(entries, name) ?? {}
  if (entry.enabled === false) return undefined
  const wrong = (reason: string, ...path: readonly string[]): undefined => {
    mistakes.push({ path: ['providers', name, ...path], reason })
  }
  const { baseURL, endpoints } = entry
  if (baseURL === undefined && endpoints === undefined)
    return wrong(`needs a baseURL, being no known provider${didYouMean(name, knownProviders)}`)
  const definition = await ownDefinition(name, entry)
  if (definition === undefined)
    return wrong(`names no known provider${didYouMean(entry.like ?? '', knownProviders)}`, 'like')
  const options = optionsOf(entry, name, mistakes)
  const make = () => stated(name, (catalogue) => defineProvider(definition, { ...options, ...catalogue }))
  return define(name, make, mistakes)
}

/** Only a provider without a package can have these members. */
const UNPACKAGED = ['like', 'endpoints', 'auth', 'tokensPerSecond', 'videoSeconds'] as const

async function packagedProvider(
  name: string,
  entries: Entries,
  folder: string,
  environment: Environment,
  stated: Stated,
  mistakes: Mistake[],
): Promise<Provider | undefined> {
  const { package: specifier = '', enabled, options = {}, ...entry } = entryOf(entries, name) ?? {}
  if (enabled === false) return undefined
  const wrong = (member: string, reason: string): undefined => {
    mistakes.push({ path: ['providers', name, member], reason })
  }
  for (const member of UNPACKAGED)
    if (entry[member] !== undefined) return wrong(member, 'is not for a provider that comes in a package')
  try {
    const given = { ...options, ...optionsOf(entry, name, mistakes), name }
    return await stated(name, (catalogue) =>
      createFromPackage(specifier, folder, { ...given, ...catalogue }, environment),
    )
  } catch (error) {
    if (error instanceof PackageError) return wrong('package', error.message)
    throw error
  }
}

/** Only the simulator can have these members. */
const SIMULATED = ['tokensPerSecond', 'videoSeconds'] as const

function optionsOf(entry: ProviderConfig, name: string, mistakes: Mistake[]): ProviderOptions {
  const { key, keys, baseURL, headers, models, overrides } = entry
  for (const member of SIMULATED)
    if (entry[member] !== undefined)
      mistakes.push({ path: ['providers', name, member], reason: 'is for the simulator alone' })
  const secrets = keys ?? (key === undefined ? undefined : [key])
  const options = { keys: secrets?.flatMap(listOf), baseURL, headers, models, overrides }
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

function define(name: string, make: () => Provider, mistakes: Mistake[]): Provider | undefined {
  try {
    return make()
  } catch (error) {
    if (!DragomanError.isInstance(error)) throw error
    const { param = '', message } = error
    const reason = message.replace(/^Provider \w+ "[^"]*" /, '').replace(/\.$/, '')
    mistakes.push({ path: ['providers', name, ...(param === '' ? [] : [param])], reason })
    return undefined
  }
}

function reasonOf({ message }: DragomanError): string {
  return message.replace(/^Provider option "([^"]*)"/, '$1').replace(/\.$/, '')
}

/** A provider that only the environment has. */
function fromVariables<Made>(name: string, make: () => Made, mistakes: Mistake[]): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (!DragomanError.isInstance(error)) throw error
    const reason = `The variables of ${name} have a mistake: ${error.message}`
    mistakes.push({ path: ['providers', name], reason, source: 'environment' })
    return undefined
  }
}
