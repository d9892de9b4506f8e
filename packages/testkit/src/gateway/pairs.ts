/** A JSON value with all members of its objects, also those with the same name. */
export type Pairs =
  | string
  | number
  | boolean
  | null
  | readonly Pairs[]
  | { readonly members: readonly [string, Pairs][] }

/** Parses JSON and keeps both of two members with the same name. */
export function readPairs(text: string): Pairs {
  let at = 0
  const skip = (): void => {
    while (' \n\r\t,:'.includes(text[at] ?? '.')) at++
  }
  const readString = (): string => {
    const start = at++
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    return JSON.parse(text.slice(start, ++at)) as string // a JSON string
  }
  const read = (): Pairs => {
    skip()
    if (text[at] === '"') return readString()
    if (text[at] === '[') {
      const entries: Pairs[] = []
      for (at++, skip(); text[at] !== ']'; skip()) entries.push(read())
      at++
      return entries
    }
    if (text[at] === '{') {
      const members: [string, Pairs][] = []
      for (at++, skip(); text[at] !== '}'; skip()) members.push([readString(), read()])
      at++
      return { members }
    }
    const [word = ''] = /^[^\s,\]}]+/.exec(text.slice(at)) ?? []
    at += word.length
    return JSON.parse(word) as number | boolean | null // a JSON literal
  }
  return read()
}

/** Every value that an upstream could read at a path. Names are compared without case, as in Go; `*` is every entry of a list. */
export function occurrencesOf(value: Pairs, [step, ...rest]: readonly string[]): readonly Pairs[] {
  if (step === undefined) return [value]
  if (Array.isArray(value)) {
    return step === '*' ? (value as readonly Pairs[]).flatMap((entry) => occurrencesOf(entry, rest)) : []
  }
  if (typeof value !== 'object' || value === null || !('members' in value)) return []
  return value.members.filter(([name]) => isSameName(name, step)).flatMap(([, inner]) => occurrencesOf(inner, rest))
}

function isSameName(one: string, other: string): boolean {
  return new RegExp(`^${other}$`, 'iu').test(one) // with `u`, case folding is Unicode simple case folding
}
