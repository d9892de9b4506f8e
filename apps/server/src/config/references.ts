import type { Environment } from '@dragoman/core/provider'
import type { Mistake } from './mistakes.ts'

/** `${NAME}` in a text is replaced by a variable; `$${` is the text `${`. */
const REFERENCE = /\$\$\{|\$\{([A-Za-z_]\w*)\}/g
/** The same, and the names in `{ env: NAME }`. */
const NAME = /\$\{([A-Za-z_]\w*)\}|\benv["']?\s*:\s*["']?([A-Za-z_]\w*)/g

/** The names of all variables that the text of a file mentions. */
export function referencesIn(text: string): readonly string[] {
  return [...text.matchAll(NAME)].flatMap(([, name, env]) => name ?? env ?? [])
}

/** A document with all references to the environment replaced; references to missing variables become mistakes. */
export function fillReferences<Value>(value: Value, environment: Environment, mistakes: Mistake[]): Value {
  const fill = (node: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof node === 'string') return fillText(node, path)
    if (Array.isArray(node)) return node.map((item, index) => fill(item, [...path, index]))
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, fill(inner, [...path, name])]))
  }
  const fillText = (text: string, path: readonly PropertyKey[]): string =>
    text.replaceAll(REFERENCE, (found, name: string | undefined) => {
      if (name === undefined) return '${'
      const held = environment[name] ?? ''
      if (held === '') mistakes.push({ path, reason: `refers to ${name}, which is not set` })
      return held === '' ? found : held
    })
  return fill(value, []) as Value // the same shape: only texts have changed
}
