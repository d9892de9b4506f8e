import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The result of a check that passed: it is not repeated while its files and conditions are the same. */
export type Passed = {
  readonly key: string
  readonly seconds: number
  readonly cpuSeconds: number | undefined
  readonly tests: number
  readonly skipped: readonly string[]
  readonly files: readonly FileTime[]
}

export type FileTime = { readonly file: string; readonly seconds: number }

/** Enough to switch between branches. */
const KEPT = 8

/** Results of earlier runs, one file for each check, newest first. */
export function createRecords(folder: string): {
  passedOf(name: string): readonly Passed[]
  keep(name: string, passed: Passed): void
} {
  mkdirSync(folder, { recursive: true })
  const pathOf = (name: string): string => join(folder, `${name.replaceAll(/\W/g, '-')}.json`)
  const passedOf = (name: string): readonly Passed[] =>
    existsSync(pathOf(name)) ? (JSON.parse(readFileSync(pathOf(name), 'utf8')) as Passed[]) : [] // written below
  const keep = (name: string, passed: Passed): void => {
    const others = passedOf(name).filter(({ key }) => key !== passed.key)
    writeFileSync(pathOf(name), JSON.stringify([passed, ...others].slice(0, KEPT)))
  }
  return { passedOf, keep }
}
