/** A row id in the title of a test, and its location. */
export type Mention = {
  readonly id: string
  readonly side: string | undefined
  readonly file: string
  readonly line: number
}

type Literal = { readonly text: string; readonly line: number; readonly before: string }

const MENTION = /\[([a-z]+(?:\.[\w-]+)+)(?::([\w-]+))?\]/g
const DISABLED = /\.(?:skip|todo|fails)\(\s*$/

/** Every `[row.id]` or `[row.id:side]` in the strings of a source file whose first word is that of a known row. */
export function mentionsIn(file: string, source: string, known: ReadonlySet<string>): Mention[] {
  return literalsOf(source)
    .filter((literal) => !DISABLED.test(literal.before))
    .flatMap(({ text, line }) => [...text.matchAll(MENTION)].map(([, id = '', side]) => ({ id, side, file, line })))
    .filter(({ id }) => known.has(id.slice(0, id.indexOf('.'))))
}

/** The string and template literals of a source, without comments and regular expressions. */
function literalsOf(source: string): Literal[] {
  const found: Literal[] = []
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\//g
  let line = 1
  let seen = 0
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const [text] = match
    if (text === '/') token.lastIndex = endOfRegex(source, match.index)
    if (text === '/' || text.startsWith('//') || text.startsWith('/*')) continue
    line += countLines(source.slice(seen, match.index))
    seen = match.index
    found.push({ text: text.slice(1, -1), line, before: source.slice(Math.max(0, match.index - 20), match.index) })
  }
  return found
}

/** Where the scan continues after a slash: after the regular expression that it opens, or after the slash if it divides. */
function endOfRegex(source: string, start: number): number {
  const before = source.slice(0, start).trimEnd().at(-1) ?? '('
  if (!'(,=:[!&|?{};>+'.includes(before)) return start + 1
  const rest = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//y
  rest.lastIndex = start
  return rest.test(source) ? rest.lastIndex : start + 1
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}
