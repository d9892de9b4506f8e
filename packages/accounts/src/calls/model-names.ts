import { storableText } from '../store/unstorable.ts'

/** The name of a model in records. */
export type ModelName = (name: string) => string

/**
 * Callers choose names of models if a provider has a pattern for unlisted ones, and stores keep every name for as long as something refers to
 * it. An instance records at most this many different ones; further ones only with their provider.
 */
export function createModelNames(most: number): ModelName {
  const known = new Map<string, string>()
  return (name) => {
    const recorded = known.get(name)
    if (recorded !== undefined) return recorded
    if (known.size >= most) return name.includes('/') ? storableText(`${name.slice(0, name.indexOf('/'))}/*`) : '*'
    const storable = storableText(name)
    known.set(name, storable)
    return storable
  }
}
