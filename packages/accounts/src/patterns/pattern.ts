import { parsePattern, PatternError } from './parse.ts'
import type { Program } from './program.ts'
import { search, STEPS_PER_TURN } from './search.ts'

/** What is wrong with a pattern; undefined if it can be searched for in linear time. */
export function patternMistake(source: string): string | undefined {
  try {
    parsePattern(source)
    return undefined
  } catch (error) {
    if (error instanceof PatternError) return error.message
    throw error
  }
}

/** Replaces what a program matches. Others run in between: `pause` is awaited about every millisecond. */
export async function replaceMatches(
  program: Program,
  text: string,
  replacement: string,
  pause: () => Promise<void>,
): Promise<string> {
  const searching = search(program, text)
  let turn = searching.next()
  for (; turn.done !== true; turn = searching.next()) if (turn.value >= STEPS_PER_TURN) await pause()
  let replaced = ''
  let at = 0
  for (const { from, to } of turn.value) {
    replaced += text.slice(at, from) + replacement
    at = to
  }
  return replaced + text.slice(at)
}
