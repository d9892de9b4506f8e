import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '@dragoman/core'
import { createRedact, secretsOf, type Environment, type Provider, type ProviderOptions } from '@dragoman/core/provider'

/** The options of the factory of a provider package: those of its entry in the configuration file. */
export interface PackageOptions extends ProviderOptions {
  readonly name: string
  /** Options that only the package knows. */
  readonly [option: string]: unknown
}

/** Why a package has no provider. The reason follows the path of the entry's member. */
export class PackageError extends Error {}

/** The name of the factory that a provider package exports. */
const FACTORY = 'createProvider'

/**
 * Creates the provider of a package outside this repository. Its name is resolved like an import in the given folder: an
 * installed package, or a file (`./acme.js`).
 */
export async function createFromPackage(
  specifier: string,
  folder: string,
  options: PackageOptions,
  environment: Environment,
): Promise<Provider> {
  const redact = createRedact(secretsIn(options, environment))
  const module = await importFrom(specifier, folder, redact)
  const factory = isModule(module) ? module[FACTORY] : undefined
  if (typeof factory !== 'function') throw new PackageError(`exports no function ${FACTORY}`)
  let made: unknown
  try {
    made = await (factory as (options: PackageOptions) => unknown)(options) // checked below
  } catch (error) {
    throw new PackageError(`cannot make the provider: ${describe(error, redact)}`)
  }
  if (!isProvider(made)) throw new PackageError(`has a ${FACTORY} that returns no provider: defineProvider makes one`)
  if (made.name !== options.name)
    throw new PackageError(`has a ${FACTORY} that does not take the option "name": it must be the name of this entry`)
  return made
}

/** Imports as a file in the folder would. */
async function importFrom(specifier: string, folder: string, redact: (text: string) => string): Promise<unknown> {
  // A unique specifier, because Node caches how an import of this file was resolved.
  const asked = `dragoman-package:${crypto.randomUUID()}`
  const parentURL = pathToFileURL(join(folder, 'dragoman.config')).href
  let isFound = false
  const hooks = registerHooks({
    resolve(given, context, next) {
      if (given !== asked) return next(given, context)
      const resolved = next(specifier, { ...context, parentURL })
      isFound = true
      return resolved
    },
  })
  try {
    return await import(asked)
  } catch (error) {
    throw new PackageError(
      isFound ? `cannot be loaded: ${describe(error, redact)}` : `cannot be found from ${folder}: ${codeOf(error)}`,
    )
  } finally {
    hooks.deregister()
  }
}

/** An error of the package's code, in one line. */
function describe(error: unknown, redact: (text: string) => string): string {
  const [first = ''] = redact(error instanceof Error ? error.message : String(error)).split('\n')
  return first.replace(/\.$/, '')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

/** The secrets in the options and in the environment. */
function secretsIn(given: PackageOptions, environment: Environment): readonly string[] {
  const { keys = [], headers = {}, name: _name, baseURL: _baseURL, models: _models, overrides: _facts, ...own } = given
  const held = Object.entries(environment).flatMap(([name, value]) => (SECRET.test(name) ? [value ?? ''] : []))
  return secretsOf([...[keys].flat(), ...textsIn(own), ...held], headers)
}

/** Variables that contain secrets. */
const SECRET = /key|token|secret|password|credential/i

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function isModule(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null
}

function isProvider(value: unknown): value is Provider {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    Array.isArray(value['models']) &&
    Array.isArray(value['protocols']) &&
    typeof (value as { call?: unknown }).call === 'function'
  )
}
