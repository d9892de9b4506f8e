import { ASSERTIONS, fitsOf, type Instruction, type Program } from './program.ts'

/** The pattern has something that cannot be searched for in linear time, or is too large. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** Repetitions are written out, so this bounds the time for one character. */
const MOST_INSTRUCTIONS = 2000
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,(\d*))?\})(\??)/uy
const GROUP = /\((?:\?:|\?<[A-Za-z_]\w*>|(?!\?))/uy
const ATOM =
  /\.|\[(?:[^\]\\]|\\.)*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[^ckpPux1-9])|[^\\^$*+?()[\]{}|]/suy

interface Reader {
  readonly source: string
  at: number
}

/** A part of a program. */
interface Part {
  readonly code: readonly Instruction[]
  /** It can match the empty text. */
  readonly isNullable: boolean
}

const NOTHING: Part = { code: [], isNullable: true }

/**
 * Reads a regular expression without what needs backtracking: references to groups and conditions on what comes before or after, except
 * `\b`, `^` and `$`. Throws a `PatternError`.
 */
export function parsePattern(source: string): Program {
  checkSyntax(source)
  const reader = { source, at: 0 }
  const { code, isNullable } = readChoices(reader)
  if (reader.at < source.length) throw unsupported(reader)
  if (isNullable) throw new PatternError('can match the empty text')
  return [...code, { op: 'match' }]
}

function checkSyntax(source: string): void {
  try {
    RegExp(source, 'u')
  } catch {
    throw new PatternError('is not a regular expression')
  }
}

function readChoices(reader: Reader): Part {
  const parts = [readSequence(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at++
    parts.push(readSequence(reader))
  }
  return parts.reduceRight((rest, part) => either(part, rest))
}

function readSequence(reader: Reader): Part {
  const parts: Part[] = []
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    parts.push(readQuantified(reader))
  }
  return sequence(parts)
}

function readQuantified(reader: Reader): Part {
  const part = readPart(reader)
  const found = take(reader, QUANTIFIER)
  if (found === undefined) return part
  const [sign = '', least, isRange, most, lazy] = found
  if (part.isNullable) throw new PatternError(`repeats something that can be empty, before "${sign}"`)
  const isLazy = lazy === '?'
  switch (sign[0]) {
    case '*':
      return many(part, isLazy)
    case '+':
      return some(part, isLazy)
    case '?':
      return maybe(part, isLazy)
    default: {
      const first = Array.from({ length: sizeOf(least) }, () => part)
      if (isRange === undefined) return sequence(first)
      if (most === '') return sequence([...first, many(part, isLazy)])
      const more = Math.max(0, sizeOf(most) - sizeOf(least))
      let rest = NOTHING
      for (let count = 0; count < more; count++) rest = maybe(sequence([part, rest]), isLazy)
      return sequence([...first, rest])
    }
  }
}

function readPart(reader: Reader): Part {
  if (take(reader, GROUP) !== undefined) {
    const inner = readChoices(reader)
    if (reader.source[reader.at++] !== ')') throw unsupported(reader)
    return inner
  }
  for (const [sign, holds] of Object.entries(ASSERTIONS)) {
    if (!reader.source.startsWith(sign, reader.at)) continue
    reader.at += sign.length
    return partOf({ op: 'assert', holds })
  }
  const [atom] = take(reader, ATOM) ?? []
  if (atom === undefined) throw unsupported(reader)
  return { code: [{ op: 'one', fits: fitsOf(atom) }], isNullable: false }
}

function sequence(parts: readonly Part[]): Part {
  const size = parts.reduce((sum, { code }) => sum + code.length, 0)
  if (size > MOST_INSTRUCTIONS) throw new PatternError('is too large with all its repetitions')
  return { code: parts.flatMap(({ code }) => code), isNullable: parts.every(({ isNullable }) => isNullable) }
}

function either(one: Part, other: Part): Part {
  const split: Instruction = { op: 'split', first: 1, second: one.code.length + 2 }
  const jump: Instruction = { op: 'jump', to: other.code.length + 1 }
  const { code } = sequence([partOf(split), one, partOf(jump), other])
  return { code, isNullable: one.isNullable || other.isNullable }
}

function maybe(part: Part, isLazy: boolean): Part {
  const [inside, after] = [1, part.code.length + 1]
  const split: Instruction = { op: 'split', first: isLazy ? after : inside, second: isLazy ? inside : after }
  return { ...sequence([partOf(split), part]), isNullable: true }
}

function many(part: Part, isLazy: boolean): Part {
  const [inside, after] = [1, part.code.length + 2]
  const split: Instruction = { op: 'split', first: isLazy ? after : inside, second: isLazy ? inside : after }
  const back: Instruction = { op: 'jump', to: -part.code.length - 1 }
  return { ...sequence([partOf(split), part, partOf(back)]), isNullable: true }
}

function some(part: Part, isLazy: boolean): Part {
  const [again, after] = [-part.code.length, 1]
  const split: Instruction = { op: 'split', first: isLazy ? after : again, second: isLazy ? again : after }
  return { ...sequence([part, partOf(split)]), isNullable: false }
}

function partOf(instruction: Instruction): Part {
  return { code: [instruction], isNullable: true }
}

/** More than that is too large anyway. */
function sizeOf(digits = '0'): number {
  return Math.min(Number(digits), MOST_INSTRUCTIONS + 1)
}

function take(reader: Reader, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = reader.at
  const found = expression.exec(reader.source) ?? undefined
  if (found !== undefined) reader.at = expression.lastIndex
  return found
}

function unsupported({ source, at }: Reader): PatternError {
  const rest = source.slice(at, at + 8)
  return new PatternError(
    `has "${rest}", which is not supported: groups cannot be referred to, and there is no look-ahead`,
  )
}
