import { isDeepStrictEqual } from 'node:util'
import { DragomanError } from '@dragoman/core'
import {
  openCatalogue,
  readCatalogueKey,
  staleness,
  type CatalogueKey,
  type OpenedCatalogue,
} from '@dragoman/core/catalogue'
import type { ServerLog } from '../log.ts'
import { StartError } from '../settings.ts'
import { readKept, writeKept } from './kept-catalogue.ts'
import type { CatalogueSettings } from './settings.ts'
import { createCatalogueSource, type CatalogueSource } from './source.ts'

export interface RefresherOptions {
  readonly log: Pick<ServerLog, 'note'>
  /** Keeps the last good catalogue. */
  readonly dataFolder: string
  /** The names that a catalogue may have. */
  readonly providers: () => readonly string[]
  /** Makes a gateway with a catalogue, or without one. Rejects with a StartError if the configuration does not fit it. */
  readonly apply: (catalogue: OpenedCatalogue | undefined) => Promise<void>
}

/** Keeps the signed catalogue of a server up to date. */
export interface Refresher {
  /** The catalogue in use. */
  readonly current: OpenedCatalogue | undefined
  /**
   * Uses the settings of a configuration, and looks for a newer catalogue. If no catalogue was kept, it waits for the first one. A
   * catalogue that is wrong is logged, and changes nothing.
   */
  use(settings: CatalogueSettings | undefined): Promise<void>
  close(): void
}

/** After a failure, the next check is sooner: first after this time, then after twice as long. */
const FIRST_RETRY_MS = 30_000
/** Instances must not check at the same moment: the time between two checks varies by this share. */
const JITTER = 0.1

/** What belongs to one set of settings. */
interface Watch {
  readonly settings: CatalogueSettings
  readonly source: CatalogueSource
  readonly keys: readonly CatalogueKey[]
  tag?: string | undefined
  failures: number
  /** The check that is under way. */
  looking?: Promise<void> | undefined
  timer?: NodeJS.Timeout
}

export function createRefresher(options: RefresherOptions): Refresher {
  const { log } = options
  const complain = createComplaint(log)
  const holding = createHolding(options)
  let watch: Watch | undefined
  const look = (asked: Watch): Promise<void> => {
    asked.looking ??= lookOnce(asked).finally(() => (asked.looking = undefined))
    return asked.looking
  }
  const lookOnce = async (asked: Watch): Promise<void> => {
    clearTimeout(asked.timer)
    try {
      const loaded = await asked.source.load(asked.tag)
      if (watch !== asked) return
      if (loaded !== undefined) await holding.take(loaded.text, asked)
      asked.tag = loaded === undefined ? asked.tag : loaded.tag
      asked.failures = 0
    } catch (error) {
      if (watch !== asked) return
      asked.failures++
      const { current } = holding
      const stays = current === undefined ? 'there is no catalogue' : `version ${current.version} stays`
      complain('error', `the catalogue from ${asked.source.title} is refused`, error)
      log.note('error', `${stays}; the next look follows`)
    }
    if (watch !== asked) return
    asked.timer = setTimeout(() => void look(asked), delayOf(asked))
    asked.timer.unref()
  }
  const begin = async (settings: CatalogueSettings | undefined): Promise<void> => {
    if (watch !== undefined && isDeepStrictEqual(settings, watch.settings)) return void look(watch)
    clearTimeout(watch?.timer)
    watch = undefined
    if (settings === undefined) return holding.drop()
    const keys = await Promise.all(settings.keys.map(readCatalogueKey))
    const begun: Watch = { settings, source: createCatalogueSource(settings), keys, failures: 0 }
    watch = begun
    await holding.resume(begun)
    const looking = look(begun)
    if (holding.current === undefined) await looking
  }
  return {
    get current() {
      return holding.current
    },
    use: (settings) =>
      begin(settings).catch((error: unknown) => complain('error', 'the catalogue cannot be changed', error)),
    close() {
      clearTimeout(watch?.timer)
      watch = undefined
    },
  }
}

/** The catalogue that a server has. */
interface Holding {
  readonly current: OpenedCatalogue | undefined
  drop(): Promise<void>
  /** Uses the catalogue of before, if it is signed by a key of these settings. */
  resume(watch: Watch): Promise<void>
  /** Uses a signed file, unless it is wrong or older. */
  take(file: string, watch: Watch): Promise<void>
}

function createHolding({ log, dataFolder, providers, apply }: RefresherOptions): Holding {
  let current: OpenedCatalogue | undefined
  /** The newest version with a valid signature, even if the configuration does not fit it: older versions are refused. */
  let newest: OpenedCatalogue | undefined
  /** The signed file of the current one. */
  let text: string | undefined
  const complain = createComplaint(log)
  const adopt = async (next: OpenedCatalogue | undefined, file: string | undefined): Promise<void> => {
    await apply(next)
    current = next
    newest = next
    text = file
  }
  const resume = async ({ keys }: Watch): Promise<void> => {
    const known = text ?? readKept(dataFolder)
    if (known === undefined) return
    try {
      const opened = await openCatalogue(known, { keys })
      newest = opened
      if (current !== undefined) return
      await adopt(opened, known)
      log.note('info', `catalogue version ${opened.version} is used as it was kept: ${summaryOf(opened)}`)
    } catch (error) {
      complain('warn', 'the catalogue that was kept is not used', error)
      if (current !== undefined) await adopt(undefined, undefined)
    }
  }
  const take = async (file: string, { source, keys }: Watch): Promise<void> => {
    const opened = await openCatalogue(file, { keys, providers: providers() })
    const stale = staleness(opened, newest)
    if (stale !== undefined) throw new StartError(stale)
    const isNew = opened.content !== current?.content
    if (isNew) {
      await adopt(opened, file)
      log.note('info', `catalogue version ${opened.version} is used from ${source.title}: ${summaryOf(opened)}`)
    }
    // The same content can have the signature of another key.
    if (isNew || file !== text) keep(file, dataFolder, log)
    text = file
  }
  return {
    get current() {
      return current
    },
    drop: () => (current === undefined ? Promise.resolve() : adopt(undefined, undefined)),
    resume,
    take,
  }
}

/** Logs one line for each mistake. */
function createComplaint(log: RefresherOptions['log']) {
  return (level: 'warn' | 'error', what: string, error: unknown): void => {
    for (const line of linesOf(error)) log.note(level, `${what}: ${line}`)
  }
}

/** Milliseconds until the next check. */
function delayOf({ settings: { refreshMs }, failures }: Watch): number {
  const delay = failures === 0 ? refreshMs : Math.min(refreshMs, FIRST_RETRY_MS * 2 ** (failures - 1))
  return delay * (1 - JITTER + 2 * JITTER * Math.random())
}

function keep(file: string, folder: string, log: RefresherOptions['log']): void {
  try {
    writeKept(folder, file)
  } catch {
    log.note('warn', `the catalogue cannot be kept in ${folder}: a start without its source is one without it`)
  }
}

function summaryOf({ issued, providers, key }: OpenedCatalogue): string {
  const models = Object.values(providers).reduce((count, entry) => count + Object.keys(entry.models).length, 0)
  return `${models} models, issued ${issued}, signed by the key ${key}`
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof StartError || DragomanError.isInstance(error))
    return error.message.replace(/\.$/, '').split('\n')
  return [`unexpected: ${error instanceof Error ? error.name : typeof error}`]
}
