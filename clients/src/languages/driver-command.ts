/** The command of a driver, and the versions of the packages that it uses. */
export interface DriverCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly versions: { readonly [name: string]: string }
}
