import { readCatalogue, type Catalogue } from './check-catalogue.ts'
import { openEnvelope } from './envelope.ts'
import type { CatalogueKey } from './public-key.ts'

/** A signed catalogue that is right. */
export interface OpenedCatalogue extends Catalogue {
  /** The signed bytes as text: two files with the same content can have other signatures. */
  readonly content: string
  /** The id of the key whose signature fits. */
  readonly key: string
}

/** What a catalogue must be signed with, and what it may name. */
export interface OpenOptions {
  /** One signature by one of them is enough. */
  readonly keys: readonly CatalogueKey[]
  /** The providers that may be named; others are mistakes. */
  readonly providers?: readonly string[] | undefined
}

/** Verifies a signed file, and checks its content. Throws what is wrong, one line for each mistake. */
export async function openCatalogue(text: string, { keys, providers }: OpenOptions): Promise<OpenedCatalogue> {
  const { content, key } = await openEnvelope(text, keys)
  return { ...readCatalogue(content, providers), content, key }
}

/**
 * Why a catalogue cannot replace the last good one: it is older, or it has the same version with another content. Undefined if it can; a
 * catalogue that is the same can, because it may have a signature of a newer key.
 */
export function staleness(next: OpenedCatalogue, last: OpenedCatalogue | undefined): string | undefined {
  if (last === undefined || next.version > last.version || next.content === last.content) return undefined
  if (next.version === last.version) return `has version ${next.version} again, with another content`
  return `has version ${next.version}, which is older than version ${last.version}`
}
