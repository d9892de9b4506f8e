import { parseJson, stringOf, type Json } from './json.ts'

/** The most characters of one text, and the most levels of lists and objects. */
const LONGEST = 4096
const DEEPEST = 24

/** A JSON document, or why it is not accepted. The reason follows its name. */
export type StrictJson = { readonly value: Json } | { readonly problem: string }

/**
 * Parses JSON that two readers must not understand differently: a member may not be there twice, as the first or the last of both would
 * count, and none may be `__proto__`. Texts above the limit and deep values are refused, unless a longer text is expected.
 */
export function parseStrictJson(text: string, longest = LONGEST): StrictJson {
  const value = parseJson(text)
  if (value === undefined) return { problem: 'is not JSON' }
  const problem = problemOf(text, longest)
  return problem === undefined ? { value } : { problem }
}

/** Reads a text that is known to be JSON. */
function problemOf(text: string, longest: number): string | undefined {
  /** The names of the members of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined)
      isName = character === '{'
      if (open.length > DEEPEST) return `has more than ${DEEPEST} levels`
    } else if (character === '}' || character === ']') open.pop()
    else if (character === ',') isName = open.at(-1) !== undefined
    else if (character === '"') {
      const end = endOfText(text, at)
      if (end - at > longest) return `has a text of more than ${longest} characters`
      const wrong = isName ? wrongName(text.slice(at, end + 1), open.at(-1)) : undefined
      if (wrong !== undefined) return wrong
      isName = false
      at = end
    }
  }
  return undefined
}

function wrongName(quoted: string, names: Set<string> | undefined): string | undefined {
  const name = stringOf(parseJson(quoted))
  if (name === '__proto__') return 'has a member "__proto__"'
  if (names?.has(name) === true) return `has the member ${JSON.stringify(name.slice(0, 100))} twice in one object`
  names?.add(name)
  return undefined
}

/** The position of the quote that ends a text. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}
