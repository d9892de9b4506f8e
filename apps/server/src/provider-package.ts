import { isObject } from '@dragoman/core'
import { createRedact, secretsOf, type Environment, type Provider, type ProviderOptions } from '@dragoman/core/provider'
import { describeThrown, importPackage, PackageError, secretTexts } from './package-module.ts'

/** The options of the factory of a provider package: those of its entry in the configuration file. */
export interface PackageOptions extends ProviderOptions {
  readonly name: string
  /** Options that only the package knows. */
  readonly [option: string]: unknown
}

/** The name of the factory that a provider package exports. */
const FACTORY = 'createProvider'

/** Creates the provider of a package. */
export async function createFromPackage(
  specifier: string,
  folder: string,
  options: PackageOptions,
  environment: Environment,
): Promise<Provider> {
  const redact = createRedact(secretsIn(options, environment))
  const { [FACTORY]: factory } = await importPackage(specifier, folder, redact)
  if (typeof factory !== 'function') throw new PackageError(`exports no function ${FACTORY}`)
  let made: unknown
  try {
    made = await (factory as (options: PackageOptions) => unknown)(options) // checked below
  } catch (error) {
    throw new PackageError(`cannot make the provider: ${describeThrown(error, redact)}`)
  }
  if (!isProvider(made)) throw new PackageError(`has a ${FACTORY} that returns no provider: defineProvider makes one`)
  if (made.name !== options.name)
    throw new PackageError(`has a ${FACTORY} that does not take the option "name": it must be the name of this entry`)
  return made
}

/** The secrets in the options and in the environment. */
function secretsIn(given: PackageOptions, environment: Environment): readonly string[] {
  const { keys = [], headers = {}, name: _name, baseURL: _baseURL, models: _models, overrides: _facts, ...own } = given
  return secretsOf([...[keys].flat(), ...secretTexts(own, environment)], headers)
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
