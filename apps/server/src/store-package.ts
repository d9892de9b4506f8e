import type { Store } from '@dragoman/accounts'
import { isObject } from '@dragoman/core'
import { createRedact, secretsOf, type Environment } from '@dragoman/core/provider'
import type { StorePackage } from './account-settings.ts'
import { folderOf } from './config/find.ts'
import { describeThrown, importPackage, PackageError, secretTexts } from './package-module.ts'

/** Opens one store. */
export interface StoreOpener {
  readonly open: () => Store | Promise<Store>
  /** Whether an error of `open` means that the database cannot be reached now: then it is tried again. */
  readonly isAway: (error: unknown) => boolean
}

/** The configuration file beside which packages are looked up, and the variables whose values must not appear in their errors. */
export interface PackageSource {
  readonly file: string | undefined
  readonly environment: Environment
}

/** The name of the function that a store package exports. */
const OPENER = 'openStore'

/** Loads a store package. */
export async function loadStorePackage(
  { package: specifier, options = {} }: StorePackage,
  { file, environment }: PackageSource,
): Promise<StoreOpener> {
  const redact = createRedact(secretsOf(secretTexts(options, environment), {}))
  const { [OPENER]: openStore, isAway } = await importPackage(specifier, folderOf(file), redact)
  if (typeof openStore !== 'function') throw new PackageError(`exports no function ${OPENER}`)
  return {
    async open() {
      const opened: unknown = await Promise.resolve()
        .then(() => (openStore as (given: object) => unknown)(options)) // checked below
        .catch((error: unknown) => {
          throw new RedactedError(`cannot open the store: ${describeThrown(error, redact)}`, { cause: error })
        })
      return checked(opened)
    },
    isAway: (error) =>
      typeof isAway === 'function' &&
      error instanceof RedactedError &&
      (isAway as (error: unknown) => unknown)(error.cause) === true, // of the package, which knows its errors
  }
}

/** An error of the package's code. Only its message may be shown. */
class RedactedError extends PackageError {}

/** The methods of a store. */
const METHODS: { readonly [Name in Exclude<keyof Store, 'title'>]: true } = {
  findKey: true,
  key: true,
  keysSince: true,
  saveKey: true,
  commit: true,
  buryLost: true,
  balances: true,
  usage: true,
  record: true,
  records: true,
  prune: true,
  writeAudit: true,
  audits: true,
  saveBodies: true,
  bodies: true,
  close: true,
}

function checked(opened: unknown): Store {
  const given = isObject(opened) ? (opened as { readonly [name: string]: unknown }) : {} // members are checked here
  const missing = Object.keys(METHODS).filter((name) => typeof given[name] !== 'function')
  if (typeof given['title'] !== 'string') missing.unshift('title')
  if (missing.length > 0)
    throw new PackageError(`has an ${OPENER} that returns no store: it lacks ${missing.join(', ')}`)
  return opened as Store // it has all members
}
