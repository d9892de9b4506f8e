import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePattern } from '../src/patterns/parse.ts'
import { patternMistake } from '../src/patterns/pattern.ts'
import { search, STEPS_PER_TURN } from '../src/patterns/search.ts'

/** Patterns that never match the empty text, in all supported forms. */
const patterns = fc.letrec<{ pattern: string; choice: string; term: string }>((tie) => ({
  pattern: fc.array(tie('term'), { minLength: 1, maxLength: 4 }).map((terms) => terms.join('')),
  choice: fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }).map((choices) => `(?:${choices.join('|')})`),
  term: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\w', '\\W', '😀', '\\u{1F600}', '-'),
    fc.constantFrom(
      'a*b',
      'a+',
      '.*?b',
      'b??a',
      'a{2}',
      '\\ba',
      'a\\b',
      '^a',
      'b$',
      '\\Ba',
      'a{1,3}?',
      '[ab]{2,}',
      '.+-',
    ),
    tie('choice'),
    fc
      .tuple(tie('choice'), fc.constantFrom('+', '+?', '{1,2}', '{2}', '{1,}?'))
      .map(([choice, quantifier]) => choice + quantifier),
  ),
})).pattern
const texts = fc
  .array(fc.constantFrom('a', 'b', '-', ' ', '😀', '\n', 'é'), { maxLength: 14 })
  .map((characters) => characters.join(''))

/** The matches, and the largest number of steps between two pauses. */
function run(source: string, text: string) {
  const searching = search(parsePattern(source), text)
  let steps = 0
  let longest = 0
  for (let turn = searching.next(); ; turn = searching.next()) {
    if (turn.done === true) return { spans: turn.value, steps, longest }
    steps += turn.value
    longest = Math.max(longest, turn.value)
  }
}

describe('a pattern', () => {
  it('finds what a regular expression finds', () => {
    fc.assert(
      fc.property(patterns, texts, (source, text) => {
        const expected = [...text.matchAll(new RegExp(source, 'gu'))].map((match) => {
          return { from: match.index, to: match.index + match[0].length }
        })
        expect(run(source, text).spans).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['(a+)+b', 'a'],
    ['(?:a|a)+b', 'a'],
    ['(?:a.*b|a)', 'a'],
    ['\\d+x', '1'],
    ['(?:\\w+\\s?)+!', 'ab '],
    ['[\\w.]{1,64}@[\\w.]{1,200}\\.com', 'a.'],
    ['.*.*.*=', 'x'],
  ])('takes time that is linear in the text, and pauses: %s', (source, piece) => {
    const [short, long] = [5000, 20_000].map((length) => run(source, piece.repeat(length)))
    expect(long!.steps).toBeLessThanOrEqual(4.1 * short!.steps)
    expect(long!.steps).toBeGreaterThan(3 * short!.steps)
    // No character has more steps than twice the instructions of the pattern.
    expect(long!.longest).toBeLessThan(STEPS_PER_TURN + 2 * parsePattern(source).length + 2)
  })

  it.each([
    ['(a)\\1', /which is not supported/],
    ['(?<n>a)\\k<n>', /which is not supported/],
    ['(?=a)b', /which is not supported/],
    ['a(?<!b)', /which is not supported/],
    ['(', /is not a regular expression/],
    ['a*', /can match the empty text/],
    ['\\b', /can match the empty text/],
    ['(?:a*)+b', /repeats something that can be empty/],
    ['(?:(?:a{100}){100}){100}', /too large/],
    ['a{1000000000}', /too large/],
  ])('that cannot be searched for so is refused: %s', (source, mistake) => {
    expect(patternMistake(source)).toMatch(mistake)
    expect(() => parsePattern(source)).toThrow(mistake)
  })

  it.each([
    '\\d{3}-\\d{4}',
    '[\\w.+-]+@[\\w-]+\\.[\\w.]+',
    '(?<card>\\d{4}[ -]?){3}\\d{4}',
    '\\p{Lu}\\x41\\t\\/',
    '[\\]a-z]+',
  ])('that is common is accepted: %s', (source) => expect(patternMistake(source)).toBeUndefined())
})
