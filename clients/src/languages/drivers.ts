import type { LanguageName } from '../client.ts'
import type { DriverCommand } from './driver-command.ts'
import { installDriver as installGo } from './go.ts'
import { installDriver as installJava } from './java.ts'
import { installDriver as installJavaScript } from './javascript.ts'
import { installDriver as installPython } from './python.ts'

/** Installs the packages of a client and its driver. Throws a NotInstalledError without the language itself. */
export type InstallDriver = (client: string, driver: string) => Promise<DriverCommand>

export const INSTALL_DRIVER_OF: Readonly<Record<LanguageName, InstallDriver>> = {
  javascript: installJavaScript,
  python: installPython,
  go: installGo,
  java: installJava,
}
