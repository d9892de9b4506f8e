import { readFile, stat } from 'node:fs/promises'
import { DragomanError } from '@dragoman/core'
import { createDownloads } from '@dragoman/gateway-node'
import type { CatalogueSettings } from './settings.ts'

/** A signed file as it was found. */
export interface LoadedFile {
  readonly text: string
  /** The entity tag of its server. */
  readonly tag?: string | undefined
}

/** Where catalogues come from. */
export interface CatalogueSource {
  /** The name for log lines: without a path, which may contain a secret. */
  readonly title: string
  /** The file; undefined if it is still the one with this tag. Rejects with a DragomanError. */
  load(tag: string | undefined): Promise<LoadedFile | undefined>
}

export function createCatalogueSource({
  source,
  limit,
  totalMs,
  allow,
  authorities,
}: CatalogueSettings): CatalogueSource {
  if ('file' in source) return { title: source.file, load: async () => ({ text: await readText(source.file, limit) }) }
  const { url } = source
  const downloads = createDownloads({ allow, limit, deadlines: { total: totalMs }, authorities })
  return {
    title: new URL(url).origin,
    async load(tag) {
      const file = await downloads.refresh(url, { param: 'catalogue.url', tag })
      return file && { text: textOf(file.bytes), tag: file.tag }
    },
  }
}

/** Reads nothing that is too large, or not a file. */
async function readText(path: string, limit: number): Promise<string> {
  try {
    // Before it is opened, because opening a pipe waits for its writer.
    const found = await stat(path)
    if (!found.isFile()) throw wrong('is not a file')
    if (found.size > limit) throw wrong('is too large')
    return textOf(await readFile(path))
  } catch (error) {
    if (DragomanError.isInstance(error)) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw wrong(`could not be read: ${code}`)
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrong('is not UTF-8')
  }
}

function wrong(reason: string): DragomanError {
  return new DragomanError('invalid-request', reason)
}
