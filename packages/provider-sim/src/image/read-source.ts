import type { Source } from '@dragoman/core'
import type { Canvas } from './canvas.ts'
import { readPng } from './read-png.ts'

/** The pixels of a given picture; undefined if it is not a PNG file in the request. */
export async function readSource(source: Source | undefined): Promise<Canvas | undefined> {
  if (source?.kind !== 'base64') return undefined
  try {
    return await readPng(Uint8Array.from(atob(source.data), (character) => character.charCodeAt(0)))
  } catch {
    return undefined // not base64
  }
}
