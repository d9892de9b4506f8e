import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  createRedact,
  isObject,
  secretsOf,
  type Environment,
  type Provider,
  type ProviderOptions,
} from '@dragoman/core'

/** What the factory of a provider package is given: what the entry in the configuration file says. */
export interface PackageOptions extends ProviderOptions {
  readonly name: string
  /** Options of the package's own. */
  readonly [option: string]: unknown
}

/** Why a package gives no provider. The reason follows the path of the entry's member. */
export class PackageError extends Error {}

/** The name that a provider package exports its factory by. */
const FACTORY = 'createProvider'

/**
 * Makes the provider of a package that is not the server's own. Its name is resolved from a folder as an import there would be: an
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
  // A specifier of its own, because Node remembers how an import of this file was resolved.
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

/** An error of somebody else's code, in one line. */
function describe(error: unknown, redact: (text: string) => string): string {
  const [first = ''] = redact(error instanceof Error ? error.message : String(error)).split('\n')
  return first.replace(/\.$/, '')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

/** What must not be shown of the options and of the environment. */
function secretsIn(given: PackageOptions, environment: Environment): readonly string[] {
  const { keys = [], headers = {}, name: _name, baseURL: _baseURL, models: _models, overrides: _facts, ...own } = given
  const held = Object.entries(environment).flatMap(([name, value]) => (SECRET.test(name) ? [value ?? ''] : []))
  return secretsOf([...[keys].flat(), ...textsIn(own), ...held], headers)
}

/** Variables that hold what nobody may see. */
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
