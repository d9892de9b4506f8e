import { parsePattern, PatternError } from './parse.ts'

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
