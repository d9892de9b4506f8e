/** Equality of JSON values: the order of keys is ignored, an undefined member is absent. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => same(item, other[index]))
  }
  if (!isPlain(one) || !isPlain(other)) return false
  const keys = keysOf(one)
  return (
    keys.length === keysOf(other).length && keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  )
}

/**
 * Different IR values with the same meaning, defined only here:
 * - the arguments of a tool call as JSON text, or as the object that the text contains; empty text is an empty object.
 */
export function normal(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(normal)
  if (!isPlain(node)) return node
  const copy = Object.fromEntries(keysOf(node).map((key) => [key, normal(node[key])]))
  if (node['type'] !== 'tool-call' || node['custom'] === true) return copy
  return { ...copy, arguments: normalArguments(node['arguments']) }
}

/** For messages of failed laws: keys in order, long text shortened. */
export function show(value: unknown): string {
  const text = JSON.stringify(sorted(value)) ?? String(value)
  return text.length > 6000 ? `${text.slice(0, 6000)}… (${text.length} characters)` : text
}

/** Arguments as an object. Text that is not a JSON object stays text. */
export function normalArguments(given: unknown): unknown {
  if (given === '') return {}
  if (typeof given !== 'string') return given
  try {
    const parsed: unknown = JSON.parse(given)
    return isPlain(parsed) ? parsed : given
  } catch {
    return given
  }
}

function sorted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(sorted)
  if (!isPlain(node)) return node
  return Object.fromEntries(
    keysOf(node)
      .sort()
      .map((key) => [key, sorted(node[key])]),
  )
}

function isPlain(node: unknown): node is { [key: string]: unknown } {
  return typeof node === 'object' && node !== null && !Array.isArray(node)
}

function keysOf(node: { [key: string]: unknown }): string[] {
  return Object.keys(node).filter((key) => node[key] !== undefined)
}
