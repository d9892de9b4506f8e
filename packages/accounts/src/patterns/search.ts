import type { Program } from './program.ts'

/** A part of a text, in UTF-16 code units. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The steps between two pauses: about a millisecond. */
export const STEPS_PER_TURN = 50_000

/** Attempts to match, the preferred ones first: the instruction, where the match would begin, and how many matches come before it. */
interface Attempts {
  size: number
  readonly addresses: Int32Array
  readonly begins: Int32Array
  readonly ranks: Int32Array
}

/**
 * Finds all matches of a program, as a regular expression with the flags `g` and `u` does. All attempts advance together, one character
 * at a time, and of two at the same instruction only the preferred one goes on, because both have the same future. So a character takes at
 * most as many steps as the program has instructions, whatever the text is. Matches that follow one another are found in the same pass: a
 * match is replaced, with all after it, if an attempt that is preferred to it succeeds later.
 *
 * Yields the number of steps each time the caller should let others run, and the rest of them at the end.
 */
export function* search(program: Program, text: string): Generator<number, readonly Span[]> {
  const spans: Span[] = []
  const seen = new Int32Array(program.length)
  let current = createAttempts(program.length)
  let next = createAttempts(program.length)
  let steps = 0
  let last: number | undefined

  /**
   * Follows instructions that take no character, at the offset `at` of the text. Returns whether it is a match that is preferred to all
   * later attempts.
   */
  const add = (attempts: Attempts, first: number, begin: number, rank: number, at: number, point?: number): boolean => {
    const stack = [first]
    for (let address = stack.pop(); address !== undefined; address = stack.pop()) {
      steps++
      if (seen[address] === at + 1) continue
      seen[address] = at + 1
      const instruction = program[address]
      switch (instruction?.op) {
        case 'jump':
          stack.push(address + instruction.to)
          break
        case 'split':
          stack.push(address + instruction.second, address + instruction.first)
          break
        case 'assert':
          if (instruction.holds(last, point)) stack.push(address + 1)
          break
        case 'match':
          spans.length = rank
          spans.push({ from: begin, to: at })
          return true
        default:
          attempts.addresses[attempts.size] = address
          attempts.begins[attempts.size] = begin
          attempts.ranks[attempts.size++] = rank
      }
    }
    return false
  }

  for (let at = 0; ;) {
    const point = text.codePointAt(at)
    if (point === undefined) break
    // The least preferred attempt begins here.
    add(current, 0, at, spans.length, at, point)
    at += point > 0xffff ? 2 : 1
    last = point
    const after = text.codePointAt(at)
    next.size = 0
    for (let index = 0; index < current.size; index++) {
      const address = current.addresses[index] ?? 0
      const instruction = program[address]
      steps++
      if (instruction?.op !== 'one' || !instruction.fits(point)) continue
      if (add(next, address + 1, current.begins[index] ?? 0, current.ranks[index] ?? 0, at, after)) break
    }
    ;[current, next] = [next, current]
    if (steps < STEPS_PER_TURN) continue
    yield steps
    steps = 0
  }
  yield steps
  return spans
}

function createAttempts(most: number): Attempts {
  return { size: 0, addresses: new Int32Array(most), begins: new Int32Array(most), ranks: new Int32Array(most) }
}
