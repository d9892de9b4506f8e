import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DragomanError } from '@dragoman/core'
import type { Environment, Provider } from '@dragoman/core/provider'
import type { GatewayOptions } from '@dragoman/gateway'
import { createDownloads, readProxies } from '@dragoman/gateway-node'
import type { Catalogue } from '@dragoman/core/catalogue'
import { checkAliases } from './aliases.ts'
import { catalogueSettings, type CatalogueSettings } from './catalogue/settings.ts'
import { folderOf } from './config/find.ts'
import { environmentMistake, isPrefix, type Mistake } from './config/mistakes.ts'
import type { Config } from './config/schema.ts'
import { checkKeys } from './keys.ts'
import { ollamaBase } from './ollama.ts'
import { buildProviders, type Found } from './providers.ts'
import { readSettings, type ServerSettings } from './settings.ts'

/** The plan of a configuration, before anything is started with it. */
export interface Plan {
  readonly settings: ServerSettings
  readonly providers: readonly Provider[]
  readonly aliases: GatewayOptions['aliases']
  /** Additional certificate authorities. */
  readonly authorities: readonly string[]
  readonly downloads: GatewayOptions['downloads']
  readonly proxies: ReturnType<typeof readProxies>
  /** The address of a possible Ollama; undefined if the search is disabled. */
  readonly ollama: string | undefined
  /** Where a signed catalogue comes from; absent without one. */
  readonly catalogue: CatalogueSettings | undefined
  /** What a signed catalogue states that does not fit its provider, one line each. Such providers are without it. */
  readonly unfit: readonly string[]
}

export interface PlanOptions {
  readonly environment: Environment
  /** The configuration file, if there is one, and its content. */
  readonly file: string | undefined
  readonly config: Config
  /** The Ollama that was found. */
  readonly found?: Found | undefined
  /** The signed catalogue that was loaded. */
  readonly catalogue?: Catalogue | undefined
  /** Mistakes that are known already: their consequences are not reported. */
  readonly known?: readonly Mistake[] | undefined
}

/** Reads and checks everything in a configuration. All mistakes are collected. */
export async function planSetup(
  { environment, file, config, found, catalogue: loaded, known = [] }: PlanOptions,
  mistakes: Mistake[],
): Promise<Plan> {
  const wrongVariable = (line: string): void => void mistakes.push(environmentMistake(line))
  const settings = readSettings(environment, config, wrongVariable)
  const { ollama: entry } = config.providers ?? {}
  const isOff = entry === false || (typeof entry === 'object' && entry.enabled === false)
  const base = ollamaBase(environment, typeof entry === 'object' ? entry.baseURL : undefined, wrongVariable)
  const ollama = isOff ? undefined : base
  const catalogue = config.catalogue === undefined ? undefined : loaded
  const wrong: Mistake[] = []
  const unfit: string[] = []
  const providers = await buildProviders(
    {
      environment,
      config,
      found: found !== undefined && found.baseURL === ollama ? { ollama: found } : {},
      inlineBytes: settings.inlineBytes,
      folder: folderOf(file),
      catalogue,
    },
    wrong,
    unfit,
  )
  const authorities = readAuthorities(config, file, mistakes)
  const unnamed: Mistake[] = []
  const awaited = [...(ollama === undefined ? [] : ['ollama']), ...awaitedOf(config, catalogue, providers)]
  const aliases = checkAliases(config, providers, awaited, unnamed)
  mistakes.push(...wrong, ...unnamed.filter(({ path }) => !isAbout(nameAt(config, path), [...known, ...wrong])))
  const downloads = downloadsOf(settings, authorities, mistakes)
  const proxies = proxiesOf(environment, mistakes)
  checkKeys(environment, config, mistakes)
  const signed = catalogueSettings(config, file, authorities)
  return { settings, providers, aliases, authorities, downloads, proxies, ollama, catalogue: signed, unfit }
}

/** The providers that a catalogue may still bring models of. */
function awaitedOf(config: Config, loaded: Catalogue | undefined, providers: readonly Provider[]): readonly string[] {
  return config.catalogue === undefined || loaded !== undefined ? [] : providers.map(({ name }) => name)
}

/** Whether a model may be one of a provider that could not be created. */
function isAbout(model: string, wrong: readonly Mistake[]): boolean {
  const named = model.includes('/') ? [model.slice(0, model.indexOf('/'))] : []
  return wrong.some(({ path }) => isPrefix(['providers', ...named], path))
}

/** The name of a model at a path of an alias or a key. */
function nameAt(config: Config, path: Mistake['path']): string {
  let node: unknown = config
  for (const key of path) node = (node as { readonly [key: PropertyKey]: unknown })[key] // a path of the check
  return String(node)
}

function readAuthorities({ outbound }: Config, file: string | undefined, mistakes: Mistake[]): readonly string[] {
  return (outbound?.authorities ?? []).flatMap((name, index) => {
    const path = ['outbound', 'authorities', index]
    try {
      const text = readFileSync(resolve(dirname(file ?? ''), name), 'utf8')
      if (text.includes('-----BEGIN CERTIFICATE-----')) return [text]
      mistakes.push({ path, reason: 'names a file without a certificate in PEM' })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      mistakes.push({ path, reason: `names a file that cannot be read: ${code}` })
    }
    return []
  })
}

function downloadsOf({ downloads, limits }: ServerSettings, authorities: readonly string[], mistakes: Mistake[]) {
  if (downloads === undefined) return undefined
  try {
    return createDownloads({ ...downloads, results: limits.answer, authorities })
  } catch (error) {
    if (!DragomanError.isInstance(error)) throw error
    mistakes.push({ path: ['downloads', 'allow'], reason: `has a mistake: ${error.message.replace(/\.$/, '')}` })
    return undefined
  }
}

function proxiesOf(environment: Environment, mistakes: Mistake[]): Plan['proxies'] {
  try {
    return readProxies(environment)
  } catch (error) {
    if (!DragomanError.isInstance(error)) throw error
    mistakes.push(environmentMistake(error.message))
    return readProxies({})
  }
}
