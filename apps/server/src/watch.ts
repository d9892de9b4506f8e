import { readFileSync, watch } from 'node:fs'

/** Editors write in several steps: contents count when they have stayed the same for so long. */
const SETTLE_MS = 200
/** What is no more than the beginning of the contents before is probably still being written, and must stay the same for longer. */
const BEGINNING_MS = 3000

export interface WatchOptions {
  /** The folder of the file. Not the file itself: editors put a new one in its place, and mounted volumes put a link. */
  readonly folder: string
  /** The file, if there is one; may throw what is wrong with it. */
  readonly find: () => string | undefined
  /** What is known of its contents; empty without a file. */
  readonly text: string
  /** Told the contents; nothing when there is no file any more, or when there is something wrong with it. */
  readonly onChange: (text: string | undefined) => void
  readonly onFail: () => void
  readonly later?: (run: () => void, ms: number) => unknown
}

/** Calls back when the file has other contents than `text`, and each time they change again. */
export function watchFile({ folder, find, text, onChange, onFail, later = setTimeout }: WatchOptions): void {
  let known = text
  let isWaiting = false
  const look = (before: Look | undefined, stayed: number): void => {
    isWaiting = false
    const now = lookAt(find)
    if (now.mark === known) return
    const needed = known.startsWith(now.mark) ? BEGINNING_MS : SETTLE_MS
    if (now.mark !== before?.mark) return lookLater(now, 0)
    if (stayed < needed) return lookLater(now, stayed)
    known = now.mark
    onChange(now.text)
  }
  const lookLater = (before: Look | undefined, stayed: number): void => {
    if (isWaiting) return
    isWaiting = true
    later(() => look(before, stayed + SETTLE_MS), SETTLE_MS)
  }
  const watcher = watch(folder, { persistent: false }, () => lookLater(undefined, 0))
  watcher.on('error', onFail)
  // It may have changed while nobody watched.
  lookLater(undefined, 0)
}

interface Look {
  /** The contents, or what is wrong with the file. */
  readonly mark: string
  readonly text?: string
}

function lookAt(find: WatchOptions['find']): Look {
  try {
    const file = find()
    if (file === undefined) return { mark: '' }
    const text = readFileSync(file, 'utf8')
    return { mark: text, text }
  } catch (error) {
    return { mark: `error: ${error instanceof Error ? error.message : 'unknown'}` }
  }
}
