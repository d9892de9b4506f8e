import { encodeBytes, type FindFile, type Link, type LinkedFile } from '@dragoman/core/provider'
import type { LinkFile } from './request-work.ts'

/** The files of a request that its body names by URL. */
export interface LinkedFiles {
  /** The file of a link; one that is not there yet is noted as missing, and has other bytes. */
  readonly find: FindFile
  readonly supply: (files: readonly LinkFile[]) => void
  /** The links that were asked for and are missing, once; undefined if none is. */
  takeMissing(): readonly Link[] | undefined
  close(): void
}

export function createLinkedFiles(): LinkedFiles {
  const files = new Map<string, LinkedFile>()
  let missing: Link[] = []
  return {
    find(link) {
      const found = files.get(keyOf(link))
      if (found === undefined) missing.push(link)
      return found ?? { mime: link.mime ?? USUAL[link.kind], data: NOT_YET }
    },
    supply(given) {
      for (const { link, mime, bytes } of given) files.set(keyOf(link), { mime, data: encodeBytes(bytes) })
    },
    takeMissing() {
      const taken = missing
      missing = []
      return taken.length === 0 ? undefined : taken
    },
    close: () => files.clear(),
  }
}

/** Links to the same file in the same role. */
export function keyOf({ url, kind, mime = '' }: Link): string {
  return `${kind} ${mime} ${url}`
}

/** Three dots in base64, in place of a missing file: some encoders read the text of files. */
const NOT_YET = 'Li4u'

/** The media types of files in a body that is only explained. */
const USUAL: Record<Link['kind'], string> = {
  image: 'image/png',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  document: 'application/pdf',
}
