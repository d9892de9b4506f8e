/** Tool names that a target would refuse, and their way back. */
export interface NameMap {
  out(name: string): string
  back(name: string): string
  /** The names that are changed, each with what it becomes: plain data, from which `nameMapOf` makes the map again. */
  readonly changed: readonly NameChange[]
}

/** A name as the caller says it, and as it is sent. */
export type NameChange = readonly [name: string, sent: string]

/** A map for one exchange: names that match `allowed` stay, the others get one that does, and come back as they were. */
export function createNameMap(names: Iterable<string>, allowed: RegExp, limit: number): NameMap {
  const taken = new Set<string>()
  const bad: string[] = []
  for (const name of names) {
    if (allowed.test(name) && name.length <= limit) taken.add(name)
    else bad.push(name)
  }
  if (bad.length === 0) return AS_THEY_ARE
  const changed = new Map<string, string>()
  for (const name of bad) {
    if (changed.has(name)) continue
    const fit = free(name.replace(/[^a-zA-Z0-9_-]/g, '_').replace(/^(?=[^a-zA-Z_])/, '_'), limit, taken)
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

/** Cut to the limit; numbered at the end when two names become one. */
function free(name: string, limit: number, taken: ReadonlySet<string>): string {
  const cut = name.slice(0, limit)
  for (let n = 2, fit = cut === '' ? '_' : cut; ; n++) {
    if (!taken.has(fit)) return fit
    const suffix = `_${n}`
    fit = cut.slice(0, limit - suffix.length) + suffix
  }
}
