import { readFileSync, watch } from 'node:fs'

/** Editors write in several steps: the content must stay the same for this time. */
const SETTLE_MS = 200
/** If the content is only the beginning of the previous one, it is probably still being written and must stay the same for longer. */
const BEGINNING_MS = 3000

export interface WatchOptions {
  /** The folder of the file. Not the file itself, because editors replace it and mounted volumes use a link. */
  readonly folder: string
  /** The file, if there is one; may throw its problem. */
  readonly find: () => string | undefined
  /** The known content; empty without a file. */
  readonly text: string
  /** Receives the content; undefined if the file is gone or has a problem. */
  readonly onChange: (text: string | undefined) => void
  readonly onFail: () => void
  readonly later?: (run: () => void, ms: number) => unknown
}

/** Calls back when the content of the file differs from `text`, and each time it changes again. */
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
  // It may have changed before the watch began.
  lookLater(undefined, 0)
}

interface Look {
  /** The content, or the problem with the file. */
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
