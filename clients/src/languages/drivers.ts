import { NotInstalledError, type LanguageName } from '../client.ts'
import { installDriver } from './javascript.ts'

/** The command of a driver, and the versions of the packages that it uses. */
export interface DriverCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly versions: { readonly [name: string]: string }
}

/** Installs the packages of a client and its driver. Throws a NotInstalledError without the language itself. */
export type InstallDriver = (client: string, driver: string) => Promise<DriverCommand>

export const INSTALL_DRIVER_OF: Readonly<Record<LanguageName, InstallDriver>> = {
  javascript: installDriver,
  python: missing('Python'),
  go: missing('Go'),
  java: missing('Java'),
}

function missing(language: string): InstallDriver {
  return () => Promise.reject(new NotInstalledError(`${language} is not installed`))
}
