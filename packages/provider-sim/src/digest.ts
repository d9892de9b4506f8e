const LANES = [0x811c9dc5, 0x01234567, 0x89abcdef, 0xdeadbeef]
const PRIME = 0x01000193

/** 32 hex digits that depend on the text alone. Good enough to tell texts apart, not to keep secrets. */
export function digest(text: string): string {
  return LANES.map((seed) => lane(text, seed).toString(16).padStart(8, '0')).join('')
}

/** FNV-1a over UTF-16 units, with a last mix so that short texts differ in every digit. */
function lane(text: string, seed: number): number {
  let hash = seed
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
