import { DragomanError } from '@dragoman/core'
import type { Link } from '@dragoman/core/provider'
import type { LinkFile } from '../bodies/request-work.ts'
import { keyOf } from '../bodies/linked-files.ts'
import type { Exchange } from '../call/exchange.ts'
import type { Settings } from '../call/settings.ts'
import type { Downloads } from '../downloads/downloads.ts'

/** Downloads of one request at the same time. */
const AT_ONCE = 8

/** Downloads the files of links, each once. They count as a part of the request's body. Rejects with the first error. */
export async function downloadLinks(
  settings: Settings,
  exchange: Exchange,
  links: readonly Link[],
): Promise<readonly LinkFile[]> {
  const { downloads, limits } = settings
  if (downloads === undefined) throw new DragomanError('internal', 'Downloads are off.')
  const wanted = [...new Map(links.map((link) => [keyOf(link), link])).values()]
  if (wanted.length > limits.downloads) throw tooMany(wanted, limits.downloads)
  const aborter = new AbortController()
  const release = stopWith(exchange, aborter)
  const queue = wanted.entries()
  const files: LinkFile[] = []
  let left = limits.body
  const work = async (): Promise<void> => {
    for (const [index, link] of queue) {
      const file = await download(downloads, link, left, aborter.signal)
      left -= file.bytes.length
      if (left < 0) throw new DragomanError('invalid-request', `${link.param}: ${TOO_LARGE}`, { param: link.param })
      exchange.lease?.add(file.bytes.length)
      files[index] = file
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted.length) }, work))
    return files
  } finally {
    aborter.abort()
    release()
  }
}

const TOO_LARGE = 'the files of the request are too large together.'

async function download(downloads: Downloads, link: Link, limit: number, signal: AbortSignal): Promise<LinkFile> {
  const { url, kind, mime, param } = link
  const accept = mime === undefined ? ACCEPT_OF[kind] : [mime]
  const { bytes, type } = await downloads.fetch(url, { limit, signal, accept, param })
  return { link, mime: type ?? 'application/octet-stream', bytes }
}

const ACCEPT_OF: Record<Link['kind'], readonly string[]> = {
  image: ['image/*'],
  audio: ['audio/*'],
  video: ['video/*'],
  document: ['application/*', 'text/*'],
}

function tooMany(links: readonly Link[], most: number): DragomanError {
  const param = links[most]?.param
  return new DragomanError('invalid-request', `${param}: a request can have at most ${most} files by URL.`, { param })
}

/** Stops the downloads when the caller is gone or its time is over. Returns a function that ends this. */
function stopWith(exchange: Exchange, aborter: AbortController): () => void {
  const { answer } = exchange
  const onGone = (): void => {
    answer.abort()
    aborter.abort()
  }
  answer.onGone = onGone
  exchange.running = {
    stop(error) {
      answer.fail(error)
      aborter.abort()
    },
  }
  return () => {
    exchange.running = undefined
    if (answer.onGone === onGone) answer.onGone = undefined
  }
}
