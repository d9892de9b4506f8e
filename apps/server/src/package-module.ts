import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Environment } from '@dragoman/core/provider'

/** Why a package of the configuration cannot be used. The reason follows the path of the member that names it. */
export class PackageError extends Error {}

/** The exports of a module that is not checked yet. */
export interface PackageModule {
  readonly [name: string]: unknown
}

/**
 * Imports a package outside this repository. Its name is resolved like an import in the given folder: an installed package, or a file
 * (`./acme.js`).
 */
export async function importPackage(
  specifier: string,
  folder: string,
  redact: (text: string) => string,
): Promise<PackageModule> {
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
    return (await import(asked)) as PackageModule // what it exports is checked where it is used
  } catch (error) {
    throw new PackageError(
      isFound
        ? `cannot be loaded: ${describeThrown(error, redact)}`
        : `cannot be found from ${folder}: ${codeOf(error)}`,
    )
  } finally {
    hooks.deregister()
  }
}

/** An error of the package's code, in one line. */
export function describeThrown(error: unknown, redact: (text: string) => string): string {
  const [first = ''] = redact(error instanceof Error ? error.message : String(error)).split('\n')
  return first.replace(/\.$/, '')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

/** Variables that contain secrets. */
const SECRET = /key|token|secret|password|credential/i

/** The secrets in the options that only a package knows, which are all of their texts, and in the environment. */
export function secretTexts(options: unknown, environment: Environment): readonly string[] {
  const held = Object.entries(environment).flatMap(([name, value]) => (SECRET.test(name) ? [value ?? ''] : []))
  return [...textsIn(options), ...held]
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
