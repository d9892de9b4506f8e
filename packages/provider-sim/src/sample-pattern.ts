const LONGEST = 4000
const DEEPEST = 50
const CLASS_OF: { readonly [escape: string]: string } = {
  d: '1',
  w: 'a',
  s: ' ',
  D: 'a',
  W: '-',
  S: 'a',
  n: '\n',
  t: '\t',
  b: '',
  B: '',
}

interface Cursor {
  readonly pattern: string
  at: number
  depth: number
}

/**
 * A short text that a regular expression matches: first alternatives, fewest repeats. The expression is never run, because that
 * could take forever. Look-arounds and back-references are not supported and are ignored.
 */
export function samplePattern(pattern: string): string {
  return readChoice({ pattern, at: 0, depth: 0 })
}

function readChoice(cursor: Cursor): string {
  let first: string | undefined
  let text = ''
  cursor.depth++
  while (cursor.at < cursor.pattern.length && cursor.pattern[cursor.at] !== ')') {
    if (cursor.pattern[cursor.at] === '|') {
      first ??= text
      text = ''
      cursor.at++
    } else text += repeat(readAtom(cursor), cursor)
  }
  cursor.depth--
  return first ?? text
}

function readAtom(cursor: Cursor): string {
  const sign = cursor.pattern[cursor.at++] ?? ''
  switch (sign) {
    case '^':
    case '$':
      return ''
    case '.':
      return 'a'
    case '\\':
      return readEscape(cursor)
    case '[':
      return readClass(cursor)
    case '(':
      return readGroup(cursor)
    default:
      return sign
  }
}

function readEscape(cursor: Cursor): string {
  const sign = cursor.pattern[cursor.at++] ?? ''
  if (/[1-9]/.test(sign)) return ''
  return Object.hasOwn(CLASS_OF, sign) ? (CLASS_OF[sign] ?? '') : sign
}

function readGroup(cursor: Cursor): string {
  const [kind = ''] = /^\?(:|=|!|<=|<!|<\w+>)/.exec(cursor.pattern.slice(cursor.at, cursor.at + 40)) ?? []
  cursor.at += kind.length
  if (cursor.depth > DEEPEST) cursor.at = cursor.pattern.length
  const text = readChoice(cursor)
  cursor.at++
  return /^\?(=|!|<=|<!)$/.test(kind) ? '' : text
}

/** The first member of a character class; for a negated class, the first common character that is not in it. */
function readClass(cursor: Cursor): string {
  const excluding = cursor.pattern[cursor.at] === '^'
  if (excluding) cursor.at++
  const members: string[] = []
  while (cursor.at < cursor.pattern.length && cursor.pattern[cursor.at] !== ']') {
    const sign = cursor.pattern[cursor.at++] ?? ''
    members.push(sign === '\\' ? readEscape(cursor) : sign)
  }
  cursor.at++
  if (!excluding) return members.find((member) => member !== '') ?? ''
  return Array.from('aA1-_ .x').find((candidate) => !holds(members, candidate)) ?? '~'
}

function holds(members: readonly string[], candidate: string): boolean {
  return members.some((member, index) => {
    const end = members[index + 2]
    if (members[index + 1] === '-' && end !== undefined) return member <= candidate && candidate <= end
    return member === candidate
  })
}

function repeat(atom: string, cursor: Cursor): string {
  const rest = cursor.pattern.slice(cursor.at, cursor.at + 24)
  const [all, digits] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(rest) ?? []
  if (all === undefined) return atom
  cursor.at += all.length
  const count = digits === undefined ? (all.startsWith('+') ? 1 : 0) : Number(digits)
  return atom.repeat(Math.min(count, Math.ceil(LONGEST / Math.max(1, atom.length))))
}
