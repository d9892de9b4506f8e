import { createRandom } from '../image/random.ts'

/**
 * The embedding of a text: a list of numbers of length 1 that depends only on the text. Each word and each group of three letters adds its own
 * direction, so that texts with common words and letters are near each other.
 */
export function embedText(text: string, dimensions: number): Float32Array {
  const embedding = new Float64Array(dimensions)
  for (const [feature, count] of featuresOf(text)) addDirection(embedding, feature, Math.sqrt(count))
  const length = Math.sqrt(embedding.reduce((sum, value) => sum + value * value, 0))
  // In very few dimensions, directions can cancel each other.
  if (length === 0) return Float32Array.from(embedding, (_, index) => (index === 0 ? 1 : 0))
  return Float32Array.from(embedding, (value) => value / length)
}

/** Words and groups of three letters, with how often they occur. A text without any, such as an empty one, is its own feature. */
function featuresOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (feature: string): void => void counts.set(feature, (counts.get(feature) ?? 0) + 1)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(word)
    const edged = ` ${word} `
    for (let at = 0; at + 3 <= edged.length; at++) add(edged.slice(at, at + 3))
  }
  // The text itself, so that two texts with the same words in another order differ a little.
  add(`text ${text}`)
  return counts
}

/** How many entries a feature changes: few are enough, because features rarely have the same ones. */
const ENTRIES = 8

function addDirection(embedding: Float64Array, feature: string, weight: number): void {
  const random = createRandom(hashOf(feature))
  for (let entry = 0; entry < ENTRIES; entry++) {
    const at = Math.floor(random() * embedding.length)
    embedding[at] = (embedding[at] ?? 0) + (random() < 0.5 ? -weight : weight)
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
