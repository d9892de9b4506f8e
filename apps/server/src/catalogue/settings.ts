import { dirname, resolve } from 'node:path'
import { DragomanError } from '@dragoman/core'
import { readCatalogueKey } from '@dragoman/core/catalogue'
import type { Mistake } from '../config/mistakes.ts'
import type { Config } from '../config/schema.ts'
import { bytesOf } from '../settings.ts'

/** Where a signed catalogue comes from, and its limits. */
export interface CatalogueSettings {
  readonly source: { readonly url: string } | { readonly file: string }
  /** Public keys, as they are in the file. */
  readonly keys: readonly string[]
  /** The time between two checks, in milliseconds. */
  readonly refreshMs: number
  /** In bytes. */
  readonly limit: number
  /** For one download, in milliseconds. */
  readonly totalMs: number
  /** Hosts that may be reached although they are not public. */
  readonly allow: readonly string[]
  /** Certificate authorities that are trusted too. */
  readonly authorities: readonly string[]
}

/** The settings; undefined without a catalogue, which is the default. Paths begin at the configuration file. */
export function catalogueSettings(
  { catalogue }: Config,
  configFile: string | undefined,
  authorities: readonly string[],
): CatalogueSettings | undefined {
  const { url, file, keys, refresh = 3600, size, time = 30, allow = [] } = catalogue ?? {}
  if (keys === undefined || (url === undefined && file === undefined)) return undefined
  return {
    source: url === undefined ? { file: resolve(dirname(configFile ?? ''), file ?? '') } : { url },
    keys,
    refreshMs: refresh * 1000,
    limit: bytesOf(size) ?? 4 * 1024 * 1024,
    totalMs: time * 1000,
    allow,
    authorities,
  }
}

/** Adds what is wrong with the keys of a configuration. */
export async function checkCatalogueKeys({ catalogue }: Config, mistakes: Mistake[]): Promise<void> {
  for (const [index, key] of (catalogue?.keys ?? []).entries()) {
    try {
      await readCatalogueKey(key)
    } catch (error) {
      if (!DragomanError.isInstance(error)) throw error
      mistakes.push({ path: ['catalogue', 'keys', index], reason: error.message })
    }
  }
}
