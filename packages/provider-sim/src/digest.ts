import type { Source } from '@dragoman/core'

const SEEDS = [0x811c9dc5, 0x01234567, 0x89abcdef, 0xdeadbeef]
const PRIME = 0x01000193

/** 32 hex digits that depend only on the text. Enough to tell texts apart, not for secrets. */
export function digest(text: string): string {
  return SEEDS.map((seed) => hashOf(text, seed).toString(16).padStart(8, '0')).join('')
}

/** A source as a text that differs if its image does. Long data is read once, and not copied. */
export function sourceText(source: Source | undefined): string {
  if (source?.kind !== 'base64' || source.data.length <= LONGEST) return JSON.stringify(source ?? null)
  const { data, ...rest } = source
  return JSON.stringify({ ...rest, length: data.length, hash: hashOf(data, FIRST_SEED) })
}

const LONGEST = 4096
const FIRST_SEED = 0x811c9dc5

/** FNV-1a over UTF-16 units, with a final mix so that short texts differ in every digit. */
function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
