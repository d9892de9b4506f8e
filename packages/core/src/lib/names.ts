/** Tool names that a target would refuse, and their originals. */
export interface NameMap {
  out(name: string): string
  back(name: string): string
  /** The changed names and their replacements: plain data, from which `nameMapOf` rebuilds the map. */
  readonly changed: readonly NameChange[]
}

/** A name of the caller, and the name that is sent. */
export type NameChange = readonly [name: string, sent: string]

/** A map for one exchange: names that match `allowed` stay, the others are replaced, and restored on the way back. */
export function createNameMap(names: Iterable<string>, allowed: RegExp, limit: number): NameMap {
  const good: string[] = []
  const bad: string[] = []
  for (const name of names) (name.length <= limit && allowed.test(name) ? good : bad).push(name)
  if (bad.length === 0) return AS_THEY_ARE
  const taken = new Set(good)
  const free = createNumbering(limit, taken)
  const changed = new Map<string, string>()
  for (const name of bad) {
    if (changed.has(name)) continue
    const fit = free(
      name
        .replaceAll(INSIDE, '__')
        .replace(/[^a-zA-Z0-9_-]/g, '_')
        .replace(/^(?=[^a-zA-Z_])/, '_'),
    )
    taken.add(fit)
    changed.set(name, fit)
  }
  return nameMapOf([...changed])
}

export function nameMapOf(changed: readonly NameChange[]): NameMap {
  if (changed.length === 0) return AS_THEY_ARE
  const out = new Map(changed)
  const back = new Map(changed.map(([name, sent]) => [sent, name]))
  return { out: (name) => out.get(name) ?? name, back: (name) => back.get(name) ?? name, changed }
}

const AS_THEY_ARE: NameMap = { out: (name) => name, back: (name) => name, changed: [] }

/**
 * Cuts names to the limit, and numbers those that become equal. Each continues from the last number of its stem: trying all numbers
 * again for each would take quadratic time.
 */
function createNumbering(limit: number, taken: ReadonlySet<string>): (name: string) => string {
  const next = new Map<string, number>()
  return (name) => {
    const cut = name.slice(0, limit) || '_'
    if (!taken.has(cut)) return cut
    for (let digits = 1; ; digits++) {
      const stem = cut.slice(0, limit - digits - 1)
      const key = `${digits} ${stem}`
      let number = next.get(key) ?? Math.max(2, 10 ** (digits - 1))
      while (number < 10 ** digits && taken.has(`${stem}_${number}`)) number++
      next.set(key, number + 1)
      if (number < 10 ** digits) return `${stem}_${number}`
    }
  }
}

/** Between a namespace and a name: a character that no name may have. */
const INSIDE = '\u001f'

/** Names of letters, digits, dashes and underscores, also in a namespace. */
export const INSIDE_NAMES = new RegExp(`^[a-zA-Z0-9_-]+(?:${INSIDE}[a-zA-Z0-9_-]+)?$`)

/** The name of a tool in a namespace. For targets without namespaces it is mapped, like every name that they would refuse. */
export function nameInside(namespace: string | null | undefined, name: string): string {
  return namespace == null ? name : namespace + INSIDE + name
}

/** The reverse of `nameInside`. */
export function partsOfName(name: string): { readonly namespace?: string; readonly name: string } {
  const at = name.indexOf(INSIDE)
  return at < 0 ? { name } : { namespace: name.slice(0, at), name: name.slice(at + 1) }
}

/** Whether a name is one in a namespace. */
export function isNameInside(name: string): boolean {
  return name.includes(INSIDE)
}
