import { readFileSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Editors write in several steps: the contents count when they have stayed the same for so long. */
const SETTLE_MS = 100

/**
 * Calls back when a file has other contents than `text`, and each time they change again. Watches its folder: editors put a new
 * file in the place of the old one, and mounted volumes put a link in place of another.
 */
export function watchFile(file: string, text: string, onChange: () => void, onFail: () => void): void {
  let known = text
  let timer: NodeJS.Timeout | undefined
  const look = (before: string | undefined): void => {
    timer = undefined
    const now = contents(file)
    // A file that is gone is on its way back, or its owner does not mean the server any more.
    if (now === undefined || now === known) return
    if (now !== before) return lookLater(now)
    known = now
    onChange()
  }
  const lookLater = (before?: string): void => {
    timer ??= setTimeout(() => look(before), SETTLE_MS)
  }
  const watcher = watch(dirname(file), { persistent: false }, () => lookLater())
  watcher.on('error', onFail)
  // It may have changed while nobody watched.
  lookLater()
}

function contents(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
