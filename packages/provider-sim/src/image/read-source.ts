import type { Source } from '@dragoman/core'
import { decodeBytes, joinBytes } from '@dragoman/core/provider'
import type { Canvas } from './canvas.ts'
import { readPng } from './read-png.ts'

/** The base64 of the first six bytes of a PNG file. */
const PNG = 'iVBORw0K'

/** The pixels of a given image; undefined if it is not a PNG file in the request. */
export async function readSource(source: Source | undefined): Promise<Canvas | undefined> {
  if (source?.kind !== 'base64') return undefined
  try {
    // Other files, however large, are not unpacked.
    return source.data.startsWith(PNG) ? await readPng(joinBytes(decodeBytes(source.data))) : undefined
  } catch {
    return undefined // not base64
  }
}
