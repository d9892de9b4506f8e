import { openCatalogue, readCatalogueKey, staleness, type OpenedCatalogue } from '@dragoman/core/catalogue'
import type { Catalogues } from '@dragoman/core/provider'
import { createFetchDownloads } from '@dragoman/gateway'
import { waitUntil } from 'cloudflare:workers'
import { complain } from './log.ts'

export interface WorkerCatalogue {
  readonly url: string
  /** Public keys of its publisher. */
  readonly keys: readonly string[]
  /** The providers that it may name. */
  readonly providers: readonly string[]
  /** Makes a handler with what it states. Throws if that does not fit. */
  readonly apply: (catalogues: Catalogues) => void
}

const REFRESH_MS = 3_600_000
const RETRY_MS = 60_000
const LIMIT = 4 * 1024 * 1024
const TOTAL_MS = 10_000

/**
 * Loads a signed catalogue with the first call of an isolate, which waits for it, and looks for a newer one during a call an hour later. What
 * is wrong is logged, and changes nothing. An isolate has no memory of others: it knows only the versions that it has loaded itself.
 */
export function createWorkerCatalogue({ url, keys, providers, apply }: WorkerCatalogue): () => Promise<void> {
  const downloads = createFetchDownloads({ limit: LIMIT, deadlines: { total: TOTAL_MS } })
  let current: OpenedCatalogue | undefined
  let tag: string | undefined
  let nextAt = Number.NEGATIVE_INFINITY
  const load = async (): Promise<void> => {
    try {
      const file = await downloads.refresh(url, { param: 'DRAGOMAN_CATALOGUE_URL', tag })
      nextAt = Date.now() + REFRESH_MS
      if (file === undefined) return
      const opened = await openCatalogue(new TextDecoder().decode(file.bytes), {
        keys: await Promise.all(keys.map(readCatalogueKey)),
        providers,
      })
      const stale = staleness(opened, current)
      if (stale !== undefined) throw new Error(stale)
      if (opened.content !== current?.content) apply(opened.providers)
      current = opened
      tag = file.tag
    } catch (thrown) {
      nextAt = Date.now() + RETRY_MS
      complain('the catalogue is refused', thrown)
    }
  }
  return async () => {
    if (Date.now() < nextAt) return
    const isFirst = nextAt === Number.NEGATIVE_INFINITY
    // Other calls neither check nor wait meanwhile: on this platform no request can wait for another one.
    nextAt = Date.now() + RETRY_MS
    const loading = load()
    waitUntil(loading)
    if (isFirst) await loading
  }
}
